/** Registers in the agent of a Consul, and looks services up there. */
@NullMarked
package io.rollcall.registry.consul;

import org.jspecify.annotations.NullMarked;
