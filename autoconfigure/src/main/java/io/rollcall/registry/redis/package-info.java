/** The Redis registry: leases by the server's clock, changes by publish and subscribe, and Swoole's set beside them. */
@NullMarked
package io.rollcall.registry.redis;

import org.jspecify.annotations.NullMarked;
