package io.rollcall.concurrency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/** Decides which gate a request has to pass, if any. Immutable. */
final class Admission {

    /**
     * A pattern and the group it belongs to.
     *
     * @param pattern what the path has to match
     * @param gate the group's limit
     */
    record Route(PathPattern pattern, Gate gate) {}

    private final Supplier<PathRules> exempt;
    private final @Nullable Gate common;
    private final Gate longLived;
    private final List<Route> routes;
    private final List<Gate> requestGates;

    /**
     * @param exempt asked for the first time by the first request
     * @param common the limit of all requests that have no other; null for none
     * @param longLived the budget of WebSockets and event streams
     * @param groups the groups' gates
     * @param routes the patterns of all groups, in any order
     */
    Admission(
            Supplier<PathRules> exempt, @Nullable Gate common, Gate longLived, List<Gate> groups, List<Route> routes) {
        this.exempt = exempt;
        this.common = common;
        this.longLived = longLived;
        List<Route> sorted = new ArrayList<>(routes);
        sorted.sort(Comparator.comparing(Route::pattern));
        this.routes = List.copyOf(sorted);
        List<Gate> gates = new ArrayList<>(groups);
        if (common != null) {
            gates.add(0, common);
        }
        requestGates = List.copyOf(gates);
    }

    /**
     * The gate for a servlet request, null if it needs none.
     *
     * @param decodedPath within the context, as for {@link PathRules#decoded(String)}
     * @param announcedLongLived whether the request's headers ask for a WebSocket or an event stream
     */
    @Nullable
    Gate gateFor(String decodedPath, boolean announcedLongLived) {
        if (exempt.get().matches(decodedPath)) {
            return null;
        }
        if (announcedLongLived) {
            return longLived;
        }
        return routes.isEmpty() ? common : routed(PathRules.decoded(decodedPath));
    }

    /** The same for a request whose path was parsed already. */
    @Nullable
    Gate gateFor(PathContainer path, boolean announcedLongLived) {
        if (exempt.get().matches(path)) {
            return null;
        }
        return announcedLongLived ? longLived : routed(path);
    }

    Gate longLived() {
        return longLived;
    }

    /** The gates that requests pass: the common one first if there is one, then the groups'. */
    List<Gate> requestGates() {
        return requestGates;
    }

    private @Nullable Gate routed(PathContainer path) {
        for (Route route : routes) {
            if (route.pattern().matches(path)) {
                return route.gate();
            }
        }
        return common;
    }
}
