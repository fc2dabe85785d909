package io.rollcall.registry.memory;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.WatchListener;
import io.rollcall.registry.ResolverContract;
import java.lang.ref.WeakReference;
import java.util.UUID;
import org.junit.jupiter.api.Test;

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

    @Test
    void aServiceThatIsNotWatchedAnyMoreIsForgotten() {
        WeakReference<String> name = watchAndClose();

        await().until(() -> {
            System.gc();
            return name.get() == null;
        });
    }

    private WeakReference<String> watchAndClose() {
        String name = UUID.randomUUID().toString();
        new MemoryRegistry(store)
                .watch(name, new WatchListener() {
                    @Override
                    public void changed() {}

                    @Override
                    public void lost(Exception cause) {}
                })
                .close();
        return new WeakReference<>(name);
    }
}
