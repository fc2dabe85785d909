package io.rollcall.registry;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All registries of the application, the most important first. Immutable; closing it closes the registries' clients, all at once.
 */
public final class Registries implements Iterable<Registry>, AutoCloseable {

    private final List<Registry> registries;

    /**
     * @param registries with distinct names, in order
     */
    public Registries(List<Registry> registries) {
        this.registries = List.copyOf(registries);
    }

    /** The names, in order. */
    public List<String> names() {
        return stream().map(Registry::name).toList();
    }

    /** The registry of that name. */
    public Optional<Registry> named(String name) {
        return stream().filter(registry -> registry.name().equals(name)).findFirst();
    }

    /** The registries, in order. */
    public Stream<Registry> stream() {
        return registries.stream();
    }

    @Override
    public Iterator<Registry> iterator() {
        return registries.iterator();
    }

    @Override
    public void close() {
        List<Thread> closing = stream()
                .filter(registry -> registry.client() != Registry.Client.NONE)
                .map(Registries::closeInBackground)
                .toList();
        try {
            for (Thread thread : closing) {
                thread.join();
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** One client that hangs must not keep the others open. */
    private static Thread closeInBackground(Registry registry) {
        Thread thread = new Thread(registry.client()::close, "rollcall-" + registry.name() + "-close");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
