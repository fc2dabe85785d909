package io.rollcall.registry;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One address at which a service can be reached, as it is told to a registry and read back from it. Immutable, and equal to
 * another by all of its content: who asks whether two entries are the same instance compares {@link #address()}.
 *
 * @param id the instance's id, the same in every registry; not empty, and without control characters
 * @param service the name of the service that it belongs to; not empty
 * @param host a host name or IP literal, IPv6 without brackets and scope
 * @param port 1 to 65535
 * @param secure whether it is to be called by TLS
 * @param metadata what else is told about it, sorted by key, without nulls
 */
public record Instance(String id, String service, String host, int port, boolean secure, Map<String, String> metadata) {

    /** The weight of an instance that names none. */
    public static final int DEFAULT_WEIGHT = 100;

    /** The highest weight. */
    public static final int MAX_WEIGHT = 10_000;

    /** The metadata key of the weight, an integer from 0 (no traffic) to 10000. */
    public static final String WEIGHT = "weight";

    /** A host goes into URIs, and comes from registries, which hold untrusted data. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}");

    /**
     * Checks and copies what it is given.
     *
     * @throws IllegalArgumentException for an empty or malformed id, an empty service, a malformed host, or a port out of range
     */
    public Instance {
        requireText(id, "id");
        if (id.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("control characters in the id");
        }
        requireText(service, "service");
        if (!isHost(host)) {
            throw new IllegalArgumentException("neither a host name nor an IP literal");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " is not within 1..65535");
        }
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /**
     * Whether an instance can have it for its host: URIs of it lead to it, and nowhere else. Java's take no underscore for a part of a
     * host, name servers and clients do.
     *
     * @param host a host name or IP literal, IPv6 without brackets and scope
     */
    public static boolean isHost(String host) {
        if (!HOST.matcher(host).matches()) {
            return false;
        }
        try {
            return new URI("http://" + uriHost(host.replace('_', 'x')) + ":80").getHost() != null;
        } catch (URISyntaxException ex) {
            return false;
        }
    }

    private static String uriHost(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private static void requireText(String value, String what) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("an instance without " + what);
        }
    }

    /** The host and port in the form {@code host:port}, an IPv6 host in brackets: what tells instances apart. */
    public String address() {
        return uriHost() + ":" + port;
    }

    /** The host as it stands in URIs: an IPv6 literal in brackets. */
    public String uriHost() {
        return uriHost(host);
    }

    /** Where to call it: {@code http} or {@code https} by {@link #secure()}, host and port. */
    public URI uri() {
        return URI.create((secure ? "https://" : "http://") + address());
    }

    /** The weight from the metadata, as {@link #weightOf} reads it. */
    public int weight() {
        return weightOf(metadata);
    }

    /**
     * The weight that metadata tells, whoever wrote it: a number, clamped to 0..{@value #MAX_WEIGHT}, a fraction counted as the next
     * whole number so that only 0 means no traffic.
     *
     * @param metadata or null, as foreign instances have it
     * @return {@value #DEFAULT_WEIGHT} where there is none, or not a number
     */
    public static int weightOf(@Nullable Map<String, String> metadata) {
        String text = metadata == null ? null : metadata.get(WEIGHT);
        if (text == null) {
            return DEFAULT_WEIGHT;
        }
        try {
            double weight = Double.parseDouble(text);
            return Double.isNaN(weight) ? DEFAULT_WEIGHT : (int) Math.max(0, Math.min(MAX_WEIGHT, Math.ceil(weight)));
        } catch (NumberFormatException ex) {
            return DEFAULT_WEIGHT;
        }
    }

    /** The same instance under another host. */
    public Instance withHost(String otherHost) {
        return new Instance(id, service, otherHost, port, secure, metadata);
    }

    /** The same instance with other metadata. */
    public Instance withMetadata(Map<String, String> otherMetadata) {
        return new Instance(id, service, host, port, secure, otherMetadata);
    }
}
