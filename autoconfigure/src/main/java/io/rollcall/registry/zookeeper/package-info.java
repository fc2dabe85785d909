/** ZooKeeper as a registry, in the node format of Curator's service discovery as Spring Cloud ZooKeeper writes it. */
@NullMarked
package io.rollcall.registry.zookeeper;

import org.jspecify.annotations.NullMarked;
