package io.rollcall.registration;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The ports that this application's web servers have bound, by the names that {@link PortDefinition}s have. Thread-safe. */
final class BoundPorts {

    private final Map<String, Integer> ports = new ConcurrentHashMap<>();

    void bound(String name, int port) {
        if (port > 0) {
            ports.put(name, port);
        }
    }

    /** The port's number, or null if no web server has bound it. */
    @Nullable
    Integer get(String name) {
        return ports.get(name);
    }
}
