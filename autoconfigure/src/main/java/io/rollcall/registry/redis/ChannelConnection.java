package io.rollcall.registry.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection that is subscribed to channels. Lettuce's reconnects by itself and subscribes anew; with a driver that keeps a thread
 * while it listens, the connection ends when it breaks.
 */
final class ChannelConnection implements MessageListener, SubscriptionListener {

    private static final Log logger = LogFactory.getLog(ChannelConnection.class);

    private final RedisConnection connection;

    private final Consumer<String> told;

    private final CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();

    private volatile boolean closed;

    private ChannelConnection(RedisConnection connection, Consumer<String> told) {
        this.connection = connection;
        this.told = told;
    }

    /**
     * Connects and subscribes.
     *
     * @param threads makes the thread that a blocking driver needs
     * @param told called with a channel on each of its messages and of its confirmations, on a thread that must not be held up
     * @param ended called when it has ended without having been closed
     */
    static ChannelConnection open(
            RedisConnectionFactory factory,
            ThreadFactory threads,
            Duration timeout,
            String channel,
            Consumer<String> told,
            Consumer<Exception> ended) {
        ChannelConnection opened = new ChannelConnection(factory.getConnection(), told);
        try {
            if (factory instanceof LettuceConnectionFactory) {
                opened.connection.subscribe(opened, bytes(channel));
            } else {
                threads.newThread(() -> opened.listen(channel, ended)).start();
                opened.awaitConfirmed(timeout);
            }
            return opened;
        } catch (RuntimeException ex) {
            opened.close();
            throw ex;
        }
    }

    /** Not by {@code orTimeout}, whose thread stays in the JVM with the class loader of the application that was the first to use it. */
    private void awaitConfirmed(Duration timeout) {
        try {
            confirmed.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException ex) {
            throw ex.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(ex.getCause());
        } catch (TimeoutException ex) {
            throw new IllegalStateException("No confirmation within " + timeout.toMillis() + " ms", ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", ex);
        }
    }

    private void listen(String channel, Consumer<Exception> ended) {
        Exception cause;
        try {
            connection.subscribe(this, bytes(channel));
            cause = new IllegalStateException("The subscription has ended");
        } catch (RuntimeException ex) {
            cause = ex;
        }
        if (!confirmed.completeExceptionally(cause) && !closed) {
            ended.accept(cause);
        }
    }

    boolean isSubscribed() {
        return connection.isSubscribed();
    }

    void subscribe(String channel) {
        subscription().subscribe(bytes(channel));
    }

    void unsubscribe(String channel) {
        subscription().unsubscribe(bytes(channel));
    }

    private Subscription subscription() {
        Subscription subscription = connection.getSubscription();
        if (subscription == null) {
            throw new IllegalStateException("The connection is not subscribed");
        }
        return subscription;
    }

    void close() {
        closed = true;
        try {
            Subscription subscription = connection.getSubscription();
            if (subscription != null) {
                subscription.close();
            }
        } catch (RuntimeException ex) {
            logger.debug("The connection was broken already when it was closed", ex);
        } finally {
            connection.close();
        }
    }

    @Override
    public void onMessage(Message message, byte @Nullable [] pattern) {
        told.accept(new String(message.getChannel(), StandardCharsets.UTF_8));
    }

    @Override
    public void onChannelSubscribed(byte[] channel, long count) {
        confirmed.complete(null);
        told.accept(new String(channel, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
