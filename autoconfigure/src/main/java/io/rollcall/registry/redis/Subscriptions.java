package io.rollcall.registry.redis;

import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The channels that are listened to, all by one connection. Every confirmation of a subscription, the first and those after a
 * reconnect, counts as a change, since messages may have been missed before it.
 *
 * <p>The connection belongs to one thread that does all subscribing, so that closing a watch waits for nothing. Thread-safe.
 */
final class Subscriptions {

    private final Supplier<? extends RedisConnectionFactory> factory;

    private final Duration timeout;

    private final ThreadFactory threads;

    private final ThreadPoolExecutor executor;

    private final Map<String, Set<Subscriber>> subscribers = new ConcurrentHashMap<>();

    private @Nullable ChannelConnection connection;

    Subscriptions(Supplier<? extends RedisConnectionFactory> factory, Duration timeout, ThreadFactory threads) {
        this.factory = factory;
        this.timeout = timeout;
        this.threads = threads;
        this.executor = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads, (task, closed) -> {
                    if (task instanceof Future<?> future) {
                        future.cancel(false);
                    }
                });
        this.executor.allowCoreThreadTimeOut(true);
    }

    /** Calls the listener on every message of a channel, and whenever the subscription is confirmed. */
    Watch watch(String channel, WatchListener listener) throws Exception {
        Subscriber subscriber = new Subscriber(channel, listener);
        Future<?> task = executor.submit(() -> add(subscriber));
        try {
            task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException ex) {
            RefusedException refusal = RedisErrors.refusal(ex);
            throw refusal != null ? refusal : ex.getCause() instanceof Exception cause ? cause : ex;
        } catch (TimeoutException | InterruptedException ex) {
            task.cancel(true);
            end(subscriber);
            throw ex;
        }
        return () -> end(subscriber);
    }

    /** Ends all watches without a word. */
    void close() {
        subscribers.values().forEach(all -> all.forEach(Subscriber::end));
        executor.execute(this::disconnect);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException ex) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void end(Subscriber subscriber) {
        if (subscriber.end()) {
            executor.execute(() -> remove(subscriber));
        }
    }

    private void add(Subscriber subscriber) {
        String channel = subscriber.channel();
        subscribers.computeIfAbsent(channel, key -> new CopyOnWriteArraySet<>()).add(subscriber);
        try {
            ChannelConnection open = connection;
            if (open != null && open.isSubscribed()) {
                open.subscribe(channel);
            } else {
                disconnect();
                connection = ChannelConnection.open(
                        factory.get(),
                        threads,
                        timeout,
                        channel,
                        this::tell,
                        cause -> executor.execute(() -> lose(cause)));
            }
        } catch (RuntimeException ex) {
            forget(subscriber);
            if (RedisErrors.unanswered(ex) || Thread.currentThread().isInterrupted()) {
                // It may be dead without knowing, and then so are all other channels.
                lose(ex);
            }
            throw ex;
        }
    }

    private void remove(Subscriber subscriber) {
        if (!forget(subscriber)) {
            return;
        }
        try {
            ChannelConnection open = connection;
            if (open != null && open.isSubscribed()) {
                open.unsubscribe(subscriber.channel());
            }
        } catch (RuntimeException ex) {
            lose(ex);
        }
        if (subscribers.isEmpty()) {
            disconnect();
        }
    }

    private void lose(Exception cause) {
        disconnect();
        List<Subscriber> all =
                subscribers.values().stream().flatMap(Set::stream).toList();
        subscribers.clear();
        all.forEach(subscriber -> subscriber.lost(cause));
    }

    private void disconnect() {
        ChannelConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    /** Whether nobody is left on its channel. */
    private boolean forget(Subscriber subscriber) {
        return subscribers.computeIfPresent(subscriber.channel(), (channel, all) -> {
                    all.remove(subscriber);
                    return all.isEmpty() ? null : all;
                })
                == null;
    }

    private void tell(String channel) {
        subscribers.getOrDefault(channel, Set.of()).forEach(Subscriber::changed);
    }
}
