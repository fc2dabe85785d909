package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.consul.AgentApi.Registered;
import org.jspecify.annotations.Nullable;

/** What a registrar knows of one entry that it writes. Used by one thread at a time. */
final class ConsulEntry {

    private final String owner;

    private int writes;

    /** The last write that the agent has confirmed. */
    private @Nullable String confirmed;

    private @Nullable Instance instance;

    private String status = ConsulChecks.PASSING;

    private boolean unanswered;

    /** @param owner the registrar's */
    ConsulEntry(String owner) {
        this.owner = owner;
    }

    /** A mark for the next write, which tells it from all others. */
    String nextMark() {
        unanswered = true;
        return owner + "-" + ++writes;
    }

    void answered() {
        unanswered = false;
    }

    void written(Instance current, String mark) {
        instance = current;
        confirmed = mark;
    }

    /** The last that was seen of the check: what vanished while it was unhealthy is not put back as healthy. */
    void seen(@Nullable String checkStatus) {
        status = checkStatus == null ? ConsulChecks.PASSING : checkStatus;
    }

    String status() {
        return status;
    }

    boolean isWritten() {
        return confirmed != null;
    }

    boolean says(Instance current) {
        return current.equals(instance);
    }

    boolean isLastWrite(Registered registered) {
        return registered.owner().equals(confirmed);
    }

    /** Whether we have written it, with whichever write. */
    boolean isOurs(Registered registered) {
        return registered.owner().startsWith(owner);
    }

    /** Whether a write may still be under way, which was given up. */
    boolean mayStillBeWritten() {
        return unanswered;
    }
}
