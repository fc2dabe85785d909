package io.rollcall.registration;

import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.StringUtils;

/** Notes what the web servers bind; the management server has a namespace of its own. */
final class WebServerPortListener implements ApplicationListener<WebServerInitializedEvent> {

    private final BoundPorts ports;

    WebServerPortListener(BoundPorts ports) {
        this.ports = ports;
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        String namespace = event.getApplicationContext().getServerNamespace();
        ports.bound(
                StringUtils.hasText(namespace) ? namespace : PortDefinition.HTTP,
                event.getWebServer().getPort());
    }
}
