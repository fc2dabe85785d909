package io.rollcall.registry.nacos;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.RegistryDefinition.Credentials;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges user and password for the token that goes with every request, when there is none or it is about to end. The client library
 * would do so on threads of its own, without a limit of time, and print what it does. Thread-safe.
 */
final class NacosLogin {

    /** Of Nacos 3, and of those before it. */
    private static final List<String> PATHS = List.of("/nacos/v3/auth/user/login", "/nacos/v1/auth/users/login");

    private static final Set<Integer> NO_SUCH_PATH =
            Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_NOT_IMPLEMENTED);

    private final List<String> servers;

    private final Credentials credentials;

    private final Duration timeout;

    private final Clock clock;

    private final Json json = new Json();

    private volatile @Nullable Token token;

    private record Token(String value, Instant renewal) {}

    NacosLogin(List<String> servers, Credentials credentials, Duration timeout, Clock clock) {
        this.servers = servers;
        this.credentials = credentials;
        this.timeout = timeout;
        this.clock = clock;
    }

    /**
     * The token, or null if there are no credentials.
     *
     * @throws RefusedException if user and password are not accepted
     */
    @Nullable
    String token() throws IOException, RefusedException {
        if (credentials.username() == null) {
            return null;
        }
        Token current = token;
        if (current == null || !clock.instant().isBefore(current.renewal())) {
            current = logIn();
            token = current;
        }
        return current.value();
    }

    /**
     * Gives up a token that is not accepted any more, as after the server's key has changed.
     *
     * @return whether there may be another one
     */
    boolean renew(@Nullable String refused) {
        Token current = token;
        if (refused != null && current != null && current.value().equals(refused)) {
            token = null;
        }
        return refused != null;
    }

    private Token logIn() throws IOException, RefusedException {
        IOException failure = new IOException("no server to log in to");
        for (String server : servers) {
            try {
                return logIn(server);
            } catch (IOException ex) {
                failure = ex;
            }
        }
        throw failure;
    }

    private Token logIn(String server) throws IOException, RefusedException {
        for (String path : PATHS) {
            HttpURLConnection connection = post("http://" + server + path);
            try {
                int status = connection.getResponseCode();
                if (status == HttpURLConnection.HTTP_OK) {
                    return read(connection);
                }
                if (status == HttpURLConnection.HTTP_FORBIDDEN || status == HttpURLConnection.HTTP_UNAUTHORIZED) {
                    throw new RefusedException("Nacos does not accept the user and password");
                }
                if (!NO_SUCH_PATH.contains(status)) {
                    throw new IOException("Nacos answers a login with status " + status);
                }
            } finally {
                connection.disconnect();
            }
        }
        throw new RefusedException("this Nacos has no login: remove user and password, or have it switched on there");
    }

    private HttpURLConnection post(String url) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout((int) timeout.toMillis());
        connection.setReadTimeout((int) timeout.toMillis());
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
        byte[] form = ("username=" + encode(credentials.username()) + "&password=" + encode(credentials.password()))
                .getBytes(StandardCharsets.US_ASCII);
        try (OutputStream body = connection.getOutputStream()) {
            body.write(form);
        }
        return connection;
    }

    private static String encode(@Nullable String text) {
        return URLEncoder.encode(text == null ? "" : text, StandardCharsets.UTF_8);
    }

    private Token read(HttpURLConnection connection) throws IOException {
        Map<String, Object> answer;
        try (var body = connection.getInputStream()) {
            answer = json.readObject(body.readNBytes(Json.MAX_BYTES));
        } catch (IllegalArgumentException ex) {
            throw new IOException("Nacos answers a login with something else than a token", ex);
        }
        String value = Json.text(answer, "accessToken");
        Integer ttl = Json.integer(answer, "tokenTtl");
        if (value == null || ttl == null) {
            throw new IOException("Nacos answers a login without a token");
        }
        // A tenth before its end, so that no request comes too late.
        return new Token(
                value,
                clock.instant().plus(Duration.ofSeconds(ttl).multipliedBy(9).dividedBy(10)));
    }
}
