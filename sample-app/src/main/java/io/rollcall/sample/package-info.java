/** An application that is a provider or a consumer, by its profile; without a profile, a demonstration of both. */
@NullMarked
package io.rollcall.sample;

import org.jspecify.annotations.NullMarked;
