package io.rollcall.concurrency;

import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/** Tomcat's own WebSocket connection, holding a permit until the socket is closed. Public only for Tomcat to create it. */
public final class TomcatUpgradeHandler extends WsHttpUpgradeHandler {

    private volatile @Nullable Permit permit;

    void hold(Permit permit) {
        this.permit = permit;
    }

    @Override
    public void destroy() {
        try {
            super.destroy();
        } finally {
            Permit held = permit;
            if (held != null) {
                held.release();
            }
        }
    }
}
