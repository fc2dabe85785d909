package io.rollcall.registry.nacos;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver;
import java.time.Duration;
import java.util.Set;

/** Reads until the answer stays the same: the server answers from a copy that it renews a while (100 ms here) after a change. */
record SettledResolver(Resolver resolver) implements Resolver {

    @Override
    public Listing lookup(String service) throws Exception {
        Listing[] last = {resolver.lookup(service)};
        await().pollDelay(Duration.ofMillis(300))
                .pollInterval(Duration.ofMillis(300))
                .until(() -> {
                    Listing before = last[0];
                    last[0] = resolver.lookup(service);
                    return last[0].equals(before);
                });
        return last[0];
    }

    @Override
    public Set<String> services() throws Exception {
        return resolver.services();
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        return resolver.watch(service, listener);
    }
}
