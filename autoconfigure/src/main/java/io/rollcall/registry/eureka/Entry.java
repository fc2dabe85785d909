package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a registrar knows of one instance that it has registered. Used by one thread at a time. */
final class Entry {

    /** The times that registrations of ours were given: by them they are told from those of another process. */
    private final Set<Long> written = new HashSet<>();

    private long lastDirty;

    private @Nullable Instance confirmed;

    private @Nullable String override;

    private @Nullable Long doubtfulUntil;

    /** Whether that is what we have registered, or may have. */
    boolean isOurs(Registered registered) {
        return written.contains(registered.lastDirty());
    }

    /** Whether the registration is ours and tells what we want to be told. */
    boolean isCurrent(Registered registered, Instance instance) {
        return instance.equals(confirmed) && registered.lastDirty() == lastDirty;
    }

    /** A time for the next registration, so that it counts as the latest. */
    long next(long now, @Nullable Registered before) {
        lastDirty = Math.max(now, Math.max(lastDirty, before == null ? 0 : before.lastDirty()) + 1);
        written.add(lastDirty);
        confirmed = null;
        return lastDirty;
    }

    long lastDirty() {
        return lastDirty;
    }

    void confirm(Instance instance) {
        confirmed = instance;
        if (doubtfulUntil == null) {
            written.clear();
            written.add(lastDirty);
        }
    }

    /** A registration was not answered, and may still arrive until then. */
    void doubt(long until) {
        doubtfulUntil = until;
    }

    boolean isDoubtful(long now) {
        if (doubtfulUntil != null && doubtfulUntil - now <= 0) {
            doubtfulUntil = null;
        }
        return doubtfulUntil != null;
    }

    @Nullable
    String override() {
        return override;
    }

    void override(@Nullable String status) {
        override = status;
    }
}
