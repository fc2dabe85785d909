package io.rollcall.registry.zookeeper;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Resolver.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it is told. */
final class RecordingListener implements WatchListener {

    private final AtomicInteger changes = new AtomicInteger();

    private final List<Exception> losses = new CopyOnWriteArrayList<>();

    @Override
    public void changed() {
        changes.incrementAndGet();
    }

    @Override
    public void lost(Exception cause) {
        losses.add(cause);
    }

    int changes() {
        return changes.get();
    }

    List<Exception> losses() {
        return losses;
    }

    void awaitMoreChangesThan(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> changes() > count);
    }

    void awaitLoss() {
        await().atMost(Duration.ofSeconds(30)).until(() -> !losses.isEmpty());
    }
}
