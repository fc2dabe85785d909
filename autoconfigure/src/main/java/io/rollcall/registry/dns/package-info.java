/** DNS as a registry that is only read: service records, or addresses with a port that is given. */
@NullMarked
package io.rollcall.registry.dns;

import org.jspecify.annotations.NullMarked;
