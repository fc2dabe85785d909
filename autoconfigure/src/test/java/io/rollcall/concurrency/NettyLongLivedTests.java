package io.rollcall.concurrency;

class NettyLongLivedTests extends LongLivedContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onNetty(NettyTestConfiguration.class, properties);
    }
}
