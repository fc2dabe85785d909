package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Swoole;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What services and instances are called in Consul: a prefix and their name, or what Swoole's name service expects with the prefix
 * that it uses.
 */
final class ConsulNames {

    private static final int MAX_LENGTH = 512;

    private final String prefix;

    ConsulNames(@Nullable String prefix) {
        this.prefix = prefix == null ? "" : prefix.strip();
    }

    boolean swoole() {
        return prefix.equals(Swoole.PREFIX);
    }

    String service(String service) {
        return prefix + service;
    }

    /** The name without the prefix, or null if it has another one. */
    @Nullable
    String withoutPrefix(String name) {
        return name.startsWith(prefix) && name.length() > prefix.length() ? name.substring(prefix.length()) : null;
    }

    /**
     * The instance's id in its agent.
     *
     * @throws RefusedException if there can be none
     */
    String id(Instance instance) throws RefusedException {
        if (!swoole()) {
            if (!isSegment(instance.id())) {
                throw new RefusedException("Consul can not hold an instance with the id '" + instance.id() + "'");
            }
            return prefix + instance.id();
        }
        Swoole.check(instance);
        return service(instance.service()) + "_" + instance.address();
    }

    /** Whether a name can stand in a path: one that can not is nobody's. */
    static boolean isSegment(String name) {
        return !name.isBlank()
                && name.length() <= MAX_LENGTH
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
    }

    /** The text as it may stand in a path or query. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The path with slashes as they are. */
    static String encodePath(String path) {
        return encode(path).replace("%2F", "/");
    }
}
