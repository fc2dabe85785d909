package io.rollcall.registration;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Notes what the web servers of this application bind: its own, and that of its management endpoints. Contexts below it may be
 * applications with a web server of their own.
 */
final class WebServerPortListener implements ApplicationListener<WebServerInitializedEvent> {

    private final ApplicationContext context;

    private final BoundPorts ports;

    WebServerPortListener(ApplicationContext context, BoundPorts ports) {
        this.context = context;
        this.ports = ports;
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        WebServerApplicationContext source = event.getApplicationContext();
        int port = event.getWebServer().getPort();
        if (source == context) {
            ports.bound(PortDefinition.HTTP, port);
        } else if (source.getParent() == context && PortDefinition.MANAGEMENT.equals(source.getServerNamespace())) {
            ports.bound(PortDefinition.MANAGEMENT, port);
        }
    }
}
