package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import org.springframework.web.context.WebApplicationContext;

class TomcatLongLivedTests extends LongLivedContract {

    @Override
    TestApplication start(String... properties) throws Exception {
        TestApplication application = TestApplication.onServlet(TomcatTestConfiguration.class, properties);
        ServletContext servletContext = ((WebApplicationContext) application.context()).getServletContext();
        ServerContainer container =
                (ServerContainer) servletContext.getAttribute("jakarta.websocket.server.ServerContainer");
        container.addEndpoint(ServerEndpointConfig.Builder.create(SilentEndpoint.class, "/socket")
                .build());
        return application;
    }

    public static final class SilentEndpoint extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            assertThat(session.isOpen()).isTrue();
        }
    }
}
