/** Micrometer's view of registrations and lists. */
@NullMarked
package io.rollcall.metrics;

import org.jspecify.annotations.NullMarked;
