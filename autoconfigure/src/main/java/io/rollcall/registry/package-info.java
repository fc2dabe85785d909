/** The two small interfaces that a registry implements, and what they speak of. */
@NullMarked
package io.rollcall.registry;

import org.jspecify.annotations.NullMarked;
