/** The demonstration: two registries, three providers and a consumer in one JVM. */
@NullMarked
package io.rollcall.sample.demo;

import org.jspecify.annotations.NullMarked;
