package io.rollcall.discovery;

import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.worker.Alarms;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/**
 * The workers of all registries that are read. Closing it ends their threads.
 *
 * @param all in the registries' order
 */
record ResolverWorkers(List<ResolverWorker> all) implements AutoCloseable {

    static Stream<ResolverWorker> of(Registry registry, ServiceCache cache, Alarms alarms, Clock clock) {
        Resolver resolver = registry.resolver();
        return resolver == null
                ? Stream.empty()
                : Stream.of(new ResolverWorker(registry, resolver, cache, alarms, clock));
    }

    @Override
    public void close() {
        // All are interrupted before the first is waited for.
        all.forEach(ResolverWorker::shutdown);
        all.forEach(ResolverWorker::close);
    }
}
