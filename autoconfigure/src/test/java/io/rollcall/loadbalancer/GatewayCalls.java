package io.rollcall.loadbalancer;

import io.rollcall.loadbalancer.FailoverContract.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

/** Calls the service through a gateway, by a client that knows of nothing. */
final class GatewayCalls {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private GatewayCalls() {}

    static Answer call(ApplicationContext gateway, @Nullable BodyPublisher body)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.getEnvironment().getProperty("local.server.port") + "/x");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        HttpRequest built = body != null ? request.POST(body).build() : request.build();
        HttpResponse<String> response = CLIENT.send(built, HttpResponse.BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                response.body(),
                response.headers().firstValue("Retry-After").orElse(null));
    }

    /** Opens a WebSocket, and returns when the gateway has closed it. */
    static void webSocket(ApplicationContext gateway) throws Exception {
        URI uri = URI.create("ws://127.0.0.1:" + gateway.getEnvironment().getProperty("local.server.port") + "/x");
        CompletableFuture<Void> closed = new CompletableFuture<>();
        CLIENT.newWebSocketBuilder().buildAsync(uri, new WebSocket.Listener() {
            @Override
            public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
                closed.complete(null);
                return null;
            }

            @Override
            public void onError(WebSocket socket, Throwable error) {
                closed.complete(null);
            }
        });
        closed.get(10, TimeUnit.SECONDS);
    }
}
