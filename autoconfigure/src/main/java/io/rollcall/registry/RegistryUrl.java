package io.rollcall.registry;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a registry: {@code scheme://[user[:password]@]host[:port][,host[:port]...][/path][?key=value&...]}, or
 * {@code scheme:[rest]} where a kind needs no host. Never prints its secrets.
 *
 * @param scheme in lower case
 * @param username or null
 * @param password or null
 * @param endpoints the hosts in their order; empty if the URL names none
 * @param path without the leading slash, decoded; empty if there is none
 * @param query in the order given, decoded
 */
public record RegistryUrl(
        String scheme,
        @Nullable String username,
        @Nullable String password,
        List<Endpoint> endpoints,
        String path,
        Map<String, String> query) {

    /** Schemes whose URL may leave the host out behind the slashes too, and then means the system's own. */
    private static final Set<String> HOSTLESS = Set.of("dns");

    /** Copies what it is given. */
    public RegistryUrl {
        endpoints = List.copyOf(endpoints);
        query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
    }

    /**
     * One host of a URL.
     *
     * @param host a name or IP literal, IPv6 without brackets
     * @param port 1..65535, or 0 if the URL names none
     */
    public record Endpoint(String host, int port) {

        /** The port, or the given one where the URL names none. */
        public int portOr(int defaultPort) {
            return port == 0 ? defaultPort : port;
        }

        /** {@code host:port}, an IPv6 host in brackets. */
        public String toString(int defaultPort) {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + portOr(defaultPort);
        }
    }

    /**
     * Reads a URL.
     *
     * @param text the URL
     * @return its parts
     * @throws IllegalArgumentException if it is not of the form above; the message gives the reason and no part of the URL
     */
    public static RegistryUrl parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.indexOf(':');
        if (colon <= 0 || !trimmed.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
            throw new IllegalArgumentException("it does not begin with a scheme such as redis://");
        }
        String scheme = trimmed.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = trimmed.substring(colon + 1);
        int question = rest.indexOf('?');
        Map<String, String> query = question < 0 ? Map.of() : query(rest.substring(question + 1));
        String location = question < 0 ? rest : rest.substring(0, question);
        if (!location.startsWith("//")) {
            if (location.startsWith("/") || location.indexOf('@') >= 0) {
                throw new IllegalArgumentException("after the scheme it needs '//' and a host");
            }
            return new RegistryUrl(scheme, null, null, List.of(), decode(location), query);
        }
        String authority = location.substring(2);
        // The last '@' before the path ends the user: a password may hold '/', '@' and ':' when they are encoded, and
        // '@' as it is.
        int at = authority.lastIndexOf('@');
        String user = at < 0 ? null : authority.substring(0, at);
        String hosts = at < 0 ? authority : authority.substring(at + 1);
        int slash = hosts.indexOf('/');
        String path = slash < 0 ? "" : decode(hosts.substring(slash + 1));
        String servers = slash < 0 ? hosts : hosts.substring(0, slash);
        List<Endpoint> endpoints =
                servers.isEmpty() && at < 0 && HOSTLESS.contains(scheme) ? List.of() : endpoints(servers);
        int separator = user == null ? -1 : user.indexOf(':');
        String username = user == null ? null : decode(separator < 0 ? user : user.substring(0, separator));
        String password = user == null || separator < 0 ? null : decode(user.substring(separator + 1));
        return new RegistryUrl(
                scheme, username == null || username.isEmpty() ? null : username, password, endpoints, path, query);
    }

    private static List<Endpoint> endpoints(String hosts) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(host.trim()));
        }
        return endpoints;
    }

    private static Endpoint endpoint(String text) {
        boolean bracketed = text.startsWith("[");
        int hostEnd = bracketed ? text.indexOf(']') + 1 : text.indexOf(':') < 0 ? text.length() : text.indexOf(':');
        String host = bracketed && hostEnd > 1 ? text.substring(1, hostEnd - 1) : text.substring(0, hostEnd);
        if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || "/?#[]@\\".indexOf(c) >= 0)) {
            throw new IllegalArgumentException("it has an empty or malformed host");
        }
        String rest = text.substring(hostEnd);
        if (rest.isEmpty()) {
            return new Endpoint(host, 0);
        }
        int port = rest.matches(":\\d{1,5}") ? Integer.parseInt(rest.substring(1)) : 0;
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the port of '" + host + "' is not a number within 1..65535");
        }
        return new Endpoint(host, port);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new LinkedHashMap<>();
        if (text.indexOf('@') >= 0) {
            // Else the rest of a password would become parameters, whose names are shown.
            throw new IllegalArgumentException(
                    "it has a '@' behind its '?': a '?' in a user or password is written as %3F, a '@' in a parameter as %40");
        }
        for (String pair : text.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String key = decode(equals < 0 ? pair : pair.substring(0, equals));
                query.put(key, equals < 0 ? "" : decode(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decode(String text) {
        // A plus sign stands for itself in every part of these URLs.
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException ex) {
            // Its message quotes the text.
            throw new IllegalArgumentException("it has a '%' without two hexadecimal digits: write it as %25");
        }
    }

    /** The URL without its user, password and the values of its query. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(scheme).append(':');
        if (!endpoints.isEmpty()) {
            text.append("//");
            if (username != null || password != null) {
                text.append("******@");
            }
            text.append(
                    String.join(",", endpoints.stream().map(RegistryUrl::print).toList()));
            if (!path.isEmpty()) {
                text.append('/');
            }
        }
        text.append(path);
        String separator = "?";
        for (String key : query.keySet()) {
            text.append(separator).append(key).append("=******");
            separator = "&";
        }
        return text.toString();
    }

    private static String print(Endpoint endpoint) {
        String text = endpoint.toString(endpoint.port());
        return endpoint.port() == 0 ? text.substring(0, text.length() - 2) : text;
    }
}
