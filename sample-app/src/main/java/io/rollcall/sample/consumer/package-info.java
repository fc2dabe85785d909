/** The consumer: a gateway that calls the service {@code greeter} by its name, and shows each call. */
@NullMarked
package io.rollcall.sample.consumer;

import org.jspecify.annotations.NullMarked;
