package io.rollcall.concurrency;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.http.server.HttpServerRequest;

/** For Reactor Netty, which ends the handling of a WebSocket request when the handshake is done. */
final class NettyConnectionWatch implements ConnectionWatch {

    @Override
    public boolean takesOver(ServerHttpRequest request, Permit permit) {
        if (!(ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest netty)
                || !netty.isWebsocket()) {
            return false;
        }
        netty.withConnection(connection -> connection.onDispose(permit::release));
        return true;
    }
}
