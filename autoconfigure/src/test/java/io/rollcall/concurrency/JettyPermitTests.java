package io.rollcall.concurrency;

import org.junit.jupiter.api.Tag;

/** Jetty says that a request is over before it shows the error page. */
@Tag("jetty")
class JettyPermitTests extends ServletPermitContract {

    @Override
    int inFlightDuringTheErrorPage() {
        return 0;
    }
}
