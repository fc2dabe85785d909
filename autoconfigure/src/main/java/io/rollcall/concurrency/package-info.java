/** The server's concurrency limit: permits, the adaptive limit and the refusal. */
@NullMarked
package io.rollcall.concurrency;

import org.jspecify.annotations.NullMarked;
