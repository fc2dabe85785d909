package io.rollcall.registry.consul;

import io.rollcall.registry.Listing;
import io.rollcall.registry.RegistryHttp;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import io.rollcall.registry.consul.ConsulHttp.Answer;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One service's blocking queries, one after the other. None of them holds a thread. What the index says is not believed: only other
 * content is a change, and between answers that change nothing the pauses grow.
 */
final class ServiceWatch implements Watch {

    private static final long SHORTEST_PAUSE_MILLIS = 20;

    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    /** Before the watch of a registry that answers with errors is given up, so that setting it up again is no busy loop. */
    private static final long ERROR_PAUSE_MILLIS = 1_000;

    private static final int GATEWAY_TIMEOUT = 504;

    private static final Log logger = LogFactory.getLog(ServiceWatch.class);

    private final ConsulResolver resolver;

    private final ConsulHttp http;

    private final Lives lives;

    private final Turns turns;

    private final String service;

    private final WatchListener listener;

    private volatile boolean closed;

    private volatile @Nullable CompletableFuture<RegistryHttp.Answer> query;

    // What follows is of one thread at a time: first the one that starts, then the client's executor's.

    private long index;

    private List<Object> content = List.of();

    private int unchanged;

    private Duration wait = Turns.SHORT;

    ServiceWatch(
            ConsulResolver resolver,
            ConsulHttp http,
            Lives lives,
            Turns turns,
            String service,
            WatchListener listener) {
        this.resolver = resolver;
        this.http = http;
        this.lives = lives;
        this.turns = turns;
        this.service = service;
        this.listener = listener;
    }

    /** Reads what there is, as what later answers are compared with. */
    void start() throws Exception {
        take(http.get(resolver.path(service), resolver.query()));
        turns.enter();
        later(this::queue, SHORTEST_PAUSE_MILLIS);
    }

    /** Whether the content is another one. */
    private boolean take(Answer answer) throws Exception {
        Listing listing = resolver.listing(service, answer);
        index = QueryIndex.next(index, answer.index());
        List<Object> before = content;
        content = List.of(listing.instances(), listing.rejected());
        return !content.equals(before);
    }

    private void queue() {
        if (!closed) {
            turns.take(this::ask);
        }
    }

    private void ask() {
        if (closed) {
            turns.release();
            return;
        }
        Map<String, String> parameters = new LinkedHashMap<>(resolver.query());
        if (index > 0) {
            parameters.put("index", Long.toString(index));
            parameters.put("wait", wait.toSeconds() + "s");
        }
        CompletableFuture<RegistryHttp.Answer> asked;
        try {
            // Consul adds up to a sixteenth to the wait, so that not all queries end together.
            asked = http.getLater(resolver.path(service), parameters, wait.plus(wait.dividedBy(16)));
        } catch (IllegalStateException ex) {
            logger.trace("Closed", ex);
            return;
        }
        query = asked;
        if (closed) {
            asked.cancel(true);
        }
        asked.whenCompleteAsync(
                (received, failure) -> {
                    turns.release();
                    wait = turns.patience();
                    if (!closed && !http.client().isClosed()) {
                        answered(received, failure);
                    }
                },
                http.client().executor());
    }

    private void answered(RegistryHttp.@Nullable Answer received, @Nullable Throwable failure) {
        if (received == null) {
            doubt(failure instanceof SocketTimeoutException);
            listener.lost(failure instanceof Exception exception ? exception : new IllegalStateException(failure));
            return;
        }
        try {
            if (take(ConsulHttp.answer(received))) {
                unchanged = 0;
                listener.changed();
            } else {
                unchanged = Math.min(unchanged + 1, 10);
            }
            later(this::queue, Math.min(LONGEST_PAUSE_MILLIS, SHORTEST_PAUSE_MILLIS << unchanged));
        } catch (Exception | Error ex) {
            // Whatever it is, thrown on it would end the watch without a word.
            Exception cause = ex instanceof Exception exception ? exception : new IllegalStateException(ex);
            later(
                    () -> {
                        if (!closed) {
                            doubt(received.status() == GATEWAY_TIMEOUT);
                            listener.lost(cause);
                        }
                    },
                    ERROR_PAUSE_MILLIS);
        }
    }

    /** A proxy that ends what is silent for long has no news: then the index and the nodes of the next answer tell all there is. */
    private void doubt(boolean onlyTooLong) {
        if (!onlyTooLong) {
            lives.doubt(service);
        }
    }

    private void later(Runnable task, long millis) {
        try {
            http.client().executor().schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            logger.trace("Closed", ex);
        }
    }

    @Override
    public void close() {
        closed = true;
        turns.exit();
        CompletableFuture<?> asked = query;
        if (asked != null) {
            asked.cancel(true);
        }
    }
}
