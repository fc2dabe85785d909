package io.rollcall.endtoend.propagation;

import io.rollcall.servers.ClientProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What a following application has seen of the service. */
final class Consumer {

    /** A stock Eureka client may need minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private final ClientProcess process;

    Consumer(ClientProcess process) {
        this.process = process;
    }

    /** Waits until the instance is seen, and tells how long after a moment that was. */
    Times.Pair awaitThere(long since) {
        return await(ids -> !ids.isEmpty(), since);
    }

    /** Waits until no instance is seen, and tells how long after a moment that was. */
    Times.Pair awaitGone(long since) {
        return await(List::isEmpty, since);
    }

    private Times.Pair await(Predicate<List<?>> state, long since) {
        return new Times.Pair(await("listed", state, since) - since, await("chosen", state, since) - since);
    }

    private long await(String view, Predicate<List<?>> state, long since) {
        return (Long) process.await(
                        told -> view.equals(told.get("view"))
                                && (Long) told.get("nanos") > since
                                && state.test((List<?>) told.get("ids")),
                        PATIENCE)
                .get("nanos");
    }
}
