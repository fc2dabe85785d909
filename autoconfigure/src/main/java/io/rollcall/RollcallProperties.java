package io.rollcall;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** What can be set about registration and discovery. */
@ConfigurationProperties("rollcall")
public class RollcallProperties {

    /** Whether Rollcall does anything at all. */
    private boolean enabled = true;

    /** Name to register under. Default is the application's name. */
    private @Nullable String serviceName;

    /** Registries to join and to look services up in, by a free name. Default is one registry inside this JVM. */
    private final Map<String, RegistryProperties> registries = new LinkedHashMap<>();

    private final Registration registration = new Registration();

    private final Instance instance = new Instance();

    /** Ports to register, by name: 'http' and 'management' are those of the web server, others need a port number. */
    private final Map<String, Port> ports = new LinkedHashMap<>();

    private final Discovery discovery = new Discovery();

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public @Nullable String getServiceName() {
        return serviceName;
    }

    public void setServiceName(@Nullable String serviceName) {
        this.serviceName = serviceName;
    }

    public Map<String, RegistryProperties> getRegistries() {
        return registries;
    }

    public Registration getRegistration() {
        return registration;
    }

    public Instance getInstance() {
        return instance;
    }

    public Map<String, Port> getPorts() {
        return ports;
    }

    public Discovery getDiscovery() {
        return discovery;
    }

    /** How this application registers itself. */
    public static class Registration {

        /** Whether to register. Without, the application only looks others up. */
        private boolean enabled = true;

        /** What has to be reached before registering. */
        private When when = When.READY;

        /** How long to go on serving after leaving the registries, before the web server begins to stop. */
        private Duration drainWait = Duration.ofSeconds(2);

        /** Registrations that the health indicator insists on: names of registries, 'any' or 'all'. Default is none. */
        private List<String> required = new ArrayList<>();

        /** Whether the start fails if a required registration does not succeed within its registry's ttl. Insists on all if none is named. */
        private boolean failFast;

        public boolean isEnabled() {
            return enabled;
        }

        public void setEnabled(boolean enabled) {
            this.enabled = enabled;
        }

        public When getWhen() {
            return when;
        }

        public void setWhen(When when) {
            this.when = when;
        }

        public Duration getDrainWait() {
            return drainWait;
        }

        public void setDrainWait(Duration drainWait) {
            this.drainWait = drainWait;
        }

        public List<String> getRequired() {
            return required;
        }

        public void setRequired(List<String> required) {
            this.required = required;
        }

        public boolean isFailFast() {
            return failFast;
        }

        public void setFailFast(boolean failFast) {
            this.failFast = failFast;
        }

        /** When to register. */
        public enum When {

            /** Once readiness accepts traffic; withdrawn while it refuses. */
            READY,

            /** Once the port is bound. */
            STARTED
        }
    }

    /** What is told about this instance. */
    public static class Instance {

        /** Id in all registries. Default is service, host and port, joined by '-'. */
        private @Nullable String id;

        /** Environment, such as 'production'. */
        private @Nullable String env;

        /** Region. */
        private @Nullable String region;

        /** Zone within the region, preferred by callers in the same zone. */
        private @Nullable String zone;

        /** Share of the traffic beside other instances, from 0 (none) to 10000. */
        private int weight = 100;

        /** Deployment, such as 'blue'. */
        private @Nullable String deployment;

        /** Scheme to be called by. Default is 'https' if the web server uses TLS, otherwise 'http'. */
        private @Nullable String scheme;

        /** Version of the application. Default is the version of the build information. */
        private @Nullable String appVersion;

        /** Whatever else to tell. */
        private final Map<String, String> metadata = new LinkedHashMap<>();

        public @Nullable String getId() {
            return id;
        }

        public void setId(@Nullable String id) {
            this.id = id;
        }

        public @Nullable String getEnv() {
            return env;
        }

        public void setEnv(@Nullable String env) {
            this.env = env;
        }

        public @Nullable String getRegion() {
            return region;
        }

        public void setRegion(@Nullable String region) {
            this.region = region;
        }

        public @Nullable String getZone() {
            return zone;
        }

        public void setZone(@Nullable String zone) {
            this.zone = zone;
        }

        public int getWeight() {
            return weight;
        }

        public void setWeight(int weight) {
            this.weight = weight;
        }

        public @Nullable String getDeployment() {
            return deployment;
        }

        public void setDeployment(@Nullable String deployment) {
            this.deployment = deployment;
        }

        public @Nullable String getScheme() {
            return scheme;
        }

        public void setScheme(@Nullable String scheme) {
            this.scheme = scheme;
        }

        public @Nullable String getAppVersion() {
            return appVersion;
        }

        public void setAppVersion(@Nullable String appVersion) {
            this.appVersion = appVersion;
        }

        public Map<String, String> getMetadata() {
            return metadata;
        }
    }

    /** One port. */
    public static class Port {

        /** Whether to register this port. Default is true, except for the management port. */
        private @Nullable Boolean enabled;

        /** Port number to register. Default is the number that the web server has bound. */
        private @Nullable Integer port;

        /** Name to register this port under. Default is the service's name; for other ports than 'http', followed by '-' and the port's name. */
        private @Nullable String serviceName;

        /** Scheme that this port is to be called by. Default is that of the instance if set, else 'https' if this port's web server uses TLS, else 'http'. */
        private @Nullable String scheme;

        /** Names of the registries to register this port in. Default is all. */
        private @Nullable List<String> registries;

        public @Nullable Boolean getEnabled() {
            return enabled;
        }

        public void setEnabled(@Nullable Boolean enabled) {
            this.enabled = enabled;
        }

        public @Nullable Integer getPort() {
            return port;
        }

        public void setPort(@Nullable Integer port) {
            this.port = port;
        }

        public @Nullable String getServiceName() {
            return serviceName;
        }

        public void setServiceName(@Nullable String serviceName) {
            this.serviceName = serviceName;
        }

        public @Nullable String getScheme() {
            return scheme;
        }

        public void setScheme(@Nullable String scheme) {
            this.scheme = scheme;
        }

        public @Nullable List<String> getRegistries() {
            return registries;
        }

        public void setRegistries(@Nullable List<String> registries) {
            this.registries = registries;
        }
    }

    /** How other services are found. */
    public static class Discovery {

        /** What is made of several registries' answers. */
        private Policy policy = Policy.MERGE;

        /** Names of registries, the most important first. Default is the order of configuration. */
        private List<String> order = new ArrayList<>();

        /** Time between two full refreshes behind the registries' own announcements. */
        private Duration watchDelay = Duration.ofSeconds(30);

        private final Snapshot snapshot = new Snapshot();

        public Policy getPolicy() {
            return policy;
        }

        public void setPolicy(Policy policy) {
            this.policy = policy;
        }

        public List<String> getOrder() {
            return order;
        }

        public void setOrder(List<String> order) {
            this.order = order;
        }

        public Duration getWatchDelay() {
            return watchDelay;
        }

        public void setWatchDelay(Duration watchDelay) {
            this.watchDelay = watchDelay;
        }

        public Snapshot getSnapshot() {
            return snapshot;
        }

        /** The last known lists on disk. */
        public static class Snapshot {

            /** Directory in which the last known lists are kept, for starts while no registry answers. Default is none. */
            private @Nullable File directory;

            public @Nullable File getDirectory() {
                return directory;
            }

            public void setDirectory(@Nullable File directory) {
                this.directory = directory;
            }
        }

        /** How several registries' answers become one. */
        public enum Policy {

            /** All instances of all registries, each once. */
            MERGE,

            /** Those of the first registry in order that has any. */
            FIRST
        }
    }
}
