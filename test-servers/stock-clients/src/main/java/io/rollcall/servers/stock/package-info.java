/** An application of Spring Cloud that knows nothing of Rollcall, in the tests' hands. */
@NullMarked
package io.rollcall.servers.stock;

import org.jspecify.annotations.NullMarked;
