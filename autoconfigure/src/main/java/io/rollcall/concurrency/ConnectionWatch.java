package io.rollcall.concurrency;

import org.springframework.http.server.reactive.ServerHttpRequest;

/** Ties a permit to a connection that outlives the handling of its request. */
@FunctionalInterface
interface ConnectionWatch {

    /** For servers that do not tell when an upgraded connection ends; the permit lasts as long as the handshake. */
    ConnectionWatch NONE = (request, permit) -> false;

    /**
     * Whether the request's connection became a WebSocket and will give the permit back when it closes. To be asked when
     * the handling has ended.
     */
    boolean takesOver(ServerHttpRequest request, Permit permit);
}
