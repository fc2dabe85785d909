package io.rollcall.concurrency;

class TomcatPermitTests extends ServletPermitContract {

    @Override
    int inFlightDuringTheErrorPage() {
        return 1;
    }
}
