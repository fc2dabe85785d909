/** Joins every registry, stays there and leaves in time. */
@NullMarked
package io.rollcall.registration;

import org.jspecify.annotations.NullMarked;
