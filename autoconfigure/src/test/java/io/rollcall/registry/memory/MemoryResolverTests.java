package io.rollcall.registry.memory;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;

class MemoryResolverTests extends ResolverContract {

    private final MemoryStore store = new MemoryStore();

    private final MemoryRegistry registrar = new MemoryRegistry(store);

    @Override
    protected Resolver newResolver() {
        return new MemoryRegistry(store);
    }

    @Override
    protected Registrar registrar() {
        return registrar;
    }

    @Override
    protected void wipe() {
        store.wipe();
    }
}
