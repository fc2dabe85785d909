package io.rollcall.concurrency;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.convert.DurationUnit;

/** How many requests the server works on at once, and what becomes of the rest. Only the limits may change after the start. */
@ConfigurationProperties("rollcall")
public class ConcurrencyProperties {

    /**
     * The most requests served at once: a whole number from 1, or 'auto' to follow the measured latency. Without it there
     * is no limit.
     */
    private @Nullable String maxConcurrency;

    private final Concurrency concurrency = new Concurrency();

    public @Nullable String getMaxConcurrency() {
        return maxConcurrency;
    }

    public void setMaxConcurrency(@Nullable String maxConcurrency) {
        this.maxConcurrency = maxConcurrency;
    }

    public Concurrency getConcurrency() {
        return concurrency;
    }

    /** The limit's details. */
    public static class Concurrency {

        /** What 'auto' never goes below; by default the number of processors, at least 4. */
        private @Nullable Integer floor;

        /**
         * What 'auto' never goes above; by default nine tenths of the web server's threads if there are such, else 2000.
         */
        private @Nullable Integer ceiling;

        /**
         * Patterns of paths, within the context path, that are neither counted nor refused, beside the actuator's own.
         */
        private List<String> exemptPaths = new ArrayList<>();

        /** The most WebSockets and server-sent event streams open at once; they do not count as requests. */
        private int longLived = 1000;

        /** The status of a refusal, 400 to 599. */
        private int status = 503;

        /** The Retry-After header of a refusal; in seconds if no unit is given. */
        @DurationUnit(SECONDS)
        private Duration retryAfter = Duration.ZERO;

        /** Requests with a limit of their own, by a name of your choice; they do not count under the common limit. */
        private Map<String, Group> groups = new LinkedHashMap<>();

        public @Nullable Integer getFloor() {
            return floor;
        }

        public void setFloor(@Nullable Integer floor) {
            this.floor = floor;
        }

        public @Nullable Integer getCeiling() {
            return ceiling;
        }

        public void setCeiling(@Nullable Integer ceiling) {
            this.ceiling = ceiling;
        }

        public List<String> getExemptPaths() {
            return exemptPaths;
        }

        public void setExemptPaths(List<String> exemptPaths) {
            this.exemptPaths = exemptPaths;
        }

        public int getLongLived() {
            return longLived;
        }

        public void setLongLived(int longLived) {
            this.longLived = longLived;
        }

        public int getStatus() {
            return status;
        }

        public void setStatus(int status) {
            this.status = status;
        }

        public Duration getRetryAfter() {
            return retryAfter;
        }

        public void setRetryAfter(Duration retryAfter) {
            this.retryAfter = retryAfter;
        }

        public Map<String, Group> getGroups() {
            return groups;
        }

        public void setGroups(Map<String, Group> groups) {
            this.groups = groups;
        }
    }

    /** Requests that share a limit of their own. */
    public static class Group {

        /** Patterns of the paths, within the context path, that belong to the group; the most specific pattern wins. */
        private List<String> paths = new ArrayList<>();

        /** The most requests of the group served at once: a whole number from 1, or 'auto'. */
        private @Nullable String maxConcurrency;

        public List<String> getPaths() {
            return paths;
        }

        public void setPaths(List<String> paths) {
            this.paths = paths;
        }

        public @Nullable String getMaxConcurrency() {
            return maxConcurrency;
        }

        public void setMaxConcurrency(@Nullable String maxConcurrency) {
            this.maxConcurrency = maxConcurrency;
        }
    }
}
