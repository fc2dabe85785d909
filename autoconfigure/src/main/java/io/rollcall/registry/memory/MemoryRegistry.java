package io.rollcall.registry.memory;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import java.util.List;
import java.util.Set;

/** One application's view of a {@link MemoryStore}. */
final class MemoryRegistry implements Registrar, Resolver, Registry.Client {

    private final MemoryStore store;

    MemoryRegistry(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void join(Instance instance) {
        store.put(this, instance);
    }

    @Override
    public void leave(Instance instance) {
        store.remove(this, instance);
    }

    @Override
    public Listing lookup(String service) {
        return new Listing(store.instances(service), Set.of(), List.of(), store.incarnation(), null);
    }

    @Override
    public Set<String> services() {
        return store.services();
    }

    @Override
    public Watch watch(String service, WatchListener listener) {
        return store.listen(service, listener::changed)::run;
    }

    @Override
    public void close() {
        store.removeAll(this);
    }
}
