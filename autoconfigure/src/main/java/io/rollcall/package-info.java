/** Rollcall: one application in many registries. */
@NullMarked
package io.rollcall;

import org.jspecify.annotations.NullMarked;
