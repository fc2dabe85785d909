package io.rollcall.registry.dns;

import io.rollcall.registry.Resolver.WatchListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A service that is watched, and what DNS last answered for it. Guarded by its owner's lock. */
final class WatchedService {

    private final String service;

    private final Map<Object, WatchListener> listeners = new HashMap<>();

    private Answer answer;

    private long validUntil;

    private boolean failing;

    @Nullable
    Future<?> next;

    WatchedService(String service, Answer answer) {
        this.service = service;
        this.answer = answer;
    }

    String service() {
        return service;
    }

    void add(Object key, WatchListener listener) {
        listeners.put(key, listener);
    }

    /** Whether nobody is left. */
    boolean remove(Object key) {
        listeners.remove(key);
        return listeners.isEmpty();
    }

    List<WatchListener> listeners() {
        return List.copyOf(listeners.values());
    }

    /** Takes an answer, and says whether it differs from the last one. */
    boolean take(Answer newAnswer, long newValidUntil) {
        boolean changed = failing || !newAnswer.listing().equals(answer.listing());
        failing = false;
        answer = newAnswer;
        validUntil = newValidUntil;
        return changed;
    }

    /** Takes a failure, and says whether it is the first in a row. */
    boolean fail() {
        boolean first = !failing;
        failing = true;
        return first;
    }

    boolean isPresent() {
        return !answer.listing().instances().isEmpty();
    }

    /** The last answer if it can still be used, else null. */
    @Nullable
    Answer valid(long now) {
        return !failing && validUntil - now > 0 ? answer : null;
    }
}
