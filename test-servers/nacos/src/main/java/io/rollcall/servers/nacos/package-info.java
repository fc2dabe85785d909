/** A Nacos server that knows services only, without its console. */
package io.rollcall.servers.nacos;
