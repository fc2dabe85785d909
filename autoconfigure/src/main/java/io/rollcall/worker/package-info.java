/** Threads, deadlines and delays that registration and discovery share. Not for users. */
@NullMarked
package io.rollcall.worker;

import org.jspecify.annotations.NullMarked;
