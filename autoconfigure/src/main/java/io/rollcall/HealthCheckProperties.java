package io.rollcall;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a registry checks whether the instance is healthy, where it does so itself. */
public class HealthCheckProperties {

    /** What the registry does to find out. Default is 'http' where there is a path to ask for, else 'tcp'. */
    private @Nullable Mode mode;

    /** Path that is asked for by 'http'. Default is that of Actuator's health endpoint. */
    private @Nullable String path;

    /** Time between two checks. */
    private Duration interval = Duration.ofSeconds(5);

    /** How long a check waits for an answer. */
    private Duration timeout = Duration.ofSeconds(3);

    /** How long an instance may be unhealthy before the registry removes it. Consul's minimum is one minute. */
    private Duration deregisterAfter = Duration.ofMinutes(1);

    public @Nullable Mode getMode() {
        return mode;
    }

    public void setMode(@Nullable Mode mode) {
        this.mode = mode;
    }

    public @Nullable String getPath() {
        return path;
    }

    public void setPath(@Nullable String path) {
        this.path = path;
    }

    public Duration getInterval() {
        return interval;
    }

    public void setInterval(Duration interval) {
        this.interval = interval;
    }

    public Duration getTimeout() {
        return timeout;
    }

    public void setTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    public Duration getDeregisterAfter() {
        return deregisterAfter;
    }

    public void setDeregisterAfter(Duration deregisterAfter) {
        this.deregisterAfter = deregisterAfter;
    }

    /** What a registry does to find out whether an instance is healthy. */
    public enum Mode {
        /** Sends an HTTP request and expects a 2xx status. */
        HTTP,

        /** Opens a TCP connection. */
        TCP,

        /** Nothing: the instance renews itself, and is unhealthy after its time to live. */
        TTL,

        /** Nothing: the instance is healthy until it leaves. */
        NONE
    }
}
