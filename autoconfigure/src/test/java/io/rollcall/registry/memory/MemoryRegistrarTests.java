package io.rollcall.registry.memory;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;

class MemoryRegistrarTests extends RegistrarContract {

    private final MemoryStore store = new MemoryStore();

    @Override
    protected Registrar newRegistrar() {
        return new MemoryRegistry(store);
    }

    @Override
    protected Resolver resolver() {
        return new MemoryRegistry(store);
    }

    @Override
    protected void wipe() {
        store.wipe();
    }
}
