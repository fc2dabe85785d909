package io.rollcall;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One registry. */
public class RegistryProperties {

    /** Where the registry is, such as 'redis://localhost:6379' or 'zookeeper://host1:2181,host2:2181'. */
    private @Nullable String url;

    /** Whether to register there. */
    private boolean register = true;

    /** Whether to look services up there. */
    private boolean resolve = true;

    /** Address to register there. Default is the address of this host that others can reach. */
    private @Nullable String address;

    /** Time between two renewals. Zero means that the registry itself checks whether the instance is alive. Default is five seconds, and zero for Consul with an HTTP or TCP check. */
    private @Nullable Duration interval;

    /** Time without renewal after which the registry forgets the instance. Default is three intervals. */
    private @Nullable Duration ttl;

    /** Hard limit of every single call to the registry. */
    private Duration timeout = Duration.ofSeconds(3);

    /** Prefix of keys, paths or names in the registry. Default depends on the kind of registry. */
    private @Nullable String prefix;

    /** User name. */
    private @Nullable String username;

    /** Password. */
    private @Nullable String password;

    /** Access token. */
    private @Nullable String token;

    private final Ssl ssl = new Ssl();

    private final HealthCheckProperties healthCheck = new HealthCheckProperties();

    public @Nullable String getUrl() {
        return url;
    }

    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    public boolean isRegister() {
        return register;
    }

    public void setRegister(boolean register) {
        this.register = register;
    }

    public boolean isResolve() {
        return resolve;
    }

    public void setResolve(boolean resolve) {
        this.resolve = resolve;
    }

    public @Nullable String getAddress() {
        return address;
    }

    public void setAddress(@Nullable String address) {
        this.address = address;
    }

    public @Nullable Duration getInterval() {
        return interval;
    }

    public void setInterval(@Nullable Duration interval) {
        this.interval = interval;
    }

    public @Nullable Duration getTtl() {
        return ttl;
    }

    public void setTtl(@Nullable Duration ttl) {
        this.ttl = ttl;
    }

    public Duration getTimeout() {
        return timeout;
    }

    public void setTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    public @Nullable String getPrefix() {
        return prefix;
    }

    public void setPrefix(@Nullable String prefix) {
        this.prefix = prefix;
    }

    public @Nullable String getUsername() {
        return username;
    }

    public void setUsername(@Nullable String username) {
        this.username = username;
    }

    public @Nullable String getPassword() {
        return password;
    }

    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    public @Nullable String getToken() {
        return token;
    }

    public void setToken(@Nullable String token) {
        this.token = token;
    }

    public Ssl getSsl() {
        return ssl;
    }

    public HealthCheckProperties getHealthCheck() {
        return healthCheck;
    }

    /** TLS to a registry. */
    public static class Ssl {

        /** Name of the SSL bundle that has the certificates. */
        private @Nullable String bundle;

        public @Nullable String getBundle() {
            return bundle;
        }

        public void setBundle(@Nullable String bundle) {
            this.bundle = bundle;
        }
    }
}
