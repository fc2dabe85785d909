/** Finds other services: watches every registry, merges their lists, answers from memory. */
@NullMarked
package io.rollcall.discovery;

import org.jspecify.annotations.NullMarked;
