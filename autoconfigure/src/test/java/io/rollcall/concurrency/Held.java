package io.rollcall.concurrency;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that wait until the test lets them go. */
final class Held {

    private volatile CountDownLatch latch = new CountDownLatch(1);
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();

    void await() throws InterruptedException {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            latch.await();
        } finally {
            running.decrementAndGet();
        }
    }

    void letGo() {
        CountDownLatch before = latch;
        latch = new CountDownLatch(1);
        before.countDown();
    }
}
