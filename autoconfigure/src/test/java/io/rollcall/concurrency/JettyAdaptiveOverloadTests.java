package io.rollcall.concurrency;

import org.junit.jupiter.api.Tag;

@Tag("jetty")
class JettyAdaptiveOverloadTests extends AdaptiveOverloadContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onServlet(ServletOverloadApplication.class, properties);
    }
}
