package io.rollcall.concurrency;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that wait until the test lets them go. */
final class Held {

    private volatile CountDownLatch latch = new CountDownLatch(1);
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();

    void await() throws InterruptedException {
        this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
        try {
            this.latch.await();
        } finally {
            this.running.decrementAndGet();
        }
    }

    void letGo() {
        CountDownLatch before = this.latch;
        this.latch = new CountDownLatch(1);
        before.countDown();
    }
}
