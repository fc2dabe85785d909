package io.rollcall.concurrency;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;

/** Replaces the handler that Tomcat would use for a WebSocket by one that gives the permit back when the socket closes. */
final class TomcatUpgradeRequest extends HttpServletRequestWrapper {

    private final Permit permit;

    TomcatUpgradeRequest(HttpServletRequest request, Permit permit) {
        super(request);
        this.permit = permit;
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
        if (!type.equals(WsHttpUpgradeHandler.class)) {
            return super.upgrade(type);
        }
        TomcatUpgradeHandler handler = super.upgrade(TomcatUpgradeHandler.class);
        handler.hold(permit.handOver());
        return type.cast(handler);
    }
}
