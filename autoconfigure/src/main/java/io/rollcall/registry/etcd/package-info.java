/** etcd as a registry: keys under leases, in the format of gRPC's name resolver for etcd. */
@NullMarked
package io.rollcall.registry.etcd;

import org.jspecify.annotations.NullMarked;
