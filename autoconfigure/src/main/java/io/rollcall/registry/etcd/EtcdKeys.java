package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.rollcall.registry.Instance;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where things are: an instance at {@code <prefix><service>/<host>:<port>}.
 *
 * @param prefix ends with a slash, or is empty
 */
record EtcdKeys(String prefix) {

    private static final String DEFAULT_PREFIX = "/";

    /** No service's, since it is followed by no slash. */
    private static final String INCARNATION = "@rollcall-incarnation";

    static EtcdKeys withPrefix(@Nullable String prefix) {
        if (prefix == null) {
            return new EtcdKeys(DEFAULT_PREFIX);
        }
        String trimmed = prefix.strip();
        return new EtcdKeys(trimmed.isEmpty() || trimmed.endsWith("/") ? trimmed : trimmed + "/");
    }

    /** Whether there can be a service of that name: a slash ends it, and a byte above all others is needed to end its keys. */
    static boolean isService(String service) {
        return !service.isBlank() && service.indexOf('/') < 0;
    }

    String service(String service) {
        return prefix + service + "/";
    }

    String instance(Instance instance) {
        return service(instance.service()) + instance.address();
    }

    ByteString incarnation() {
        return bytes(prefix + INCARNATION);
    }

    /**
     * The service that a key belongs to, or null if it is no instance's: an address is the last part of its key, unless ego has
     * written it.
     */
    @Nullable
    String serviceOf(ByteString key) {
        if (!key.isValidUtf8() || !key.startsWith(bytes(prefix))) {
            return null;
        }
        String rest = key.toStringUtf8().substring(prefix.length());
        int slash = rest.indexOf('/');
        if (slash <= 0 || slash == rest.length() - 1) {
            return null;
        }
        String entry = rest.substring(slash + 1);
        return entry.indexOf('/') < 0 || entry.startsWith(EtcdRecords.EGO_PROVIDERS) ? rest.substring(0, slash) : null;
    }

    /** The first key after all that begin like this. */
    static ByteString endOf(String begin) {
        byte[] bytes = begin.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            // To etcd, a range that ends at zero has no end.
            return ByteString.copyFrom(new byte[] {0});
        }
        // No byte of UTF-8 is the highest one, so that there is always a next.
        bytes[bytes.length - 1]++;
        return ByteString.copyFrom(bytes);
    }

    static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
