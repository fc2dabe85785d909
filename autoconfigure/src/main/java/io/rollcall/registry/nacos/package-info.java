/** Nacos as a registry: ephemeral instances as Spring Cloud Alibaba writes them, over the connection of Nacos's own client library. */
@NullMarked
package io.rollcall.registry.nacos;

import org.jspecify.annotations.NullMarked;
