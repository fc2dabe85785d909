/** The Eureka server that the tests talk to. */
@NullMarked
package io.rollcall.servers.eureka;

import org.jspecify.annotations.NullMarked;
