/** Eureka as a registry, by its REST interface, in the form that Spring Cloud Netflix reads and writes. */
@NullMarked
package io.rollcall.registry.eureka;

import org.jspecify.annotations.NullMarked;
