package io.rollcall.concurrency;

class TomcatAdaptiveOverloadTests extends AdaptiveOverloadContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onServlet(ServletOverloadApplication.class, properties);
    }
}
