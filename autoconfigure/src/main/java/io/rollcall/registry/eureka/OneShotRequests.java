package io.rollcall.registry.eureka;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.SimpleClientHttpRequestFactory;

/**
 * Requests on the caller's thread, which an interrupt does not abandon half way: what has been answered has been done, and needs no
 * thread of its own that would have to end.
 */
final class OneShotRequests extends SimpleClientHttpRequestFactory {

    private final @Nullable SSLSocketFactory sockets;

    /**
     * @param timeout of connecting, and of waiting for data
     * @param sockets makes connections by TLS, or null for the JVM's own
     */
    OneShotRequests(Duration timeout, @Nullable SSLSocketFactory sockets) {
        this.sockets = sockets;
        setConnectTimeout(timeout);
        setReadTimeout(timeout);
    }

    @Override
    protected void prepareConnection(HttpURLConnection connection, String method) throws IOException {
        super.prepareConnection(connection, method);
        // A server that sends us elsewhere is none that the URL names, and must not get its password.
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
        }
    }
}
