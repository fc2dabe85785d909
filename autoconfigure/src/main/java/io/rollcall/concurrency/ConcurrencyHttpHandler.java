package io.rollcall.concurrency;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * Lets a reactive request in or refuses it. Around the whole handling rather than a {@code WebFilter} in it, because there
 * error responses are written after the filters have ended, without a permit.
 *
 * <p>The permit is taken on subscription and given back when the response was written, failed or was cancelled.
 */
final class ConcurrencyHttpHandler implements HttpHandler {

    private static final Mono<Void> NOTHING = Mono.empty();

    private final HttpHandler delegate;
    private final Admission admission;
    private final Refusal refusal;
    private final ConnectionWatch connectionWatch;

    ConcurrencyHttpHandler(
            HttpHandler delegate, Admission admission, Refusal refusal, ConnectionWatch connectionWatch) {
        this.delegate = delegate;
        this.admission = admission;
        this.refusal = refusal;
        this.connectionWatch = connectionWatch;
    }

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        HttpHeaders headers = request.getHeaders();
        boolean longLived =
                LongLived.announced(headers.getFirst(HttpHeaders.UPGRADE), headers.getFirst(HttpHeaders.ACCEPT));
        Gate gate = admission.gateFor(request.getPath().pathWithinApplication(), longLived);
        return gate == null ? delegate.handle(request, response) : guarded(gate, request, response);
    }

    private Mono<Void> guarded(Gate gate, ServerHttpRequest request, ServerHttpResponse response) {
        return Mono.fromDirect(subscriber -> {
            Permit permit = gate.tryEnter();
            if (permit == null) {
                refuse(response).subscribe(subscriber);
                return;
            }
            // Reactor lets errors of the virtual machine fly through subscribe instead of signalling them.
            boolean subscribed = false;
            try {
                serve(request, response, permit, gate == admission.longLived()).subscribe(subscriber);
                subscribed = true;
            } finally {
                if (!subscribed) {
                    permit.release();
                }
            }
        });
    }

    private Mono<Void> serve(ServerHttpRequest request, ServerHttpResponse response, Permit permit, boolean longLived) {
        response.beforeCommit(() -> {
            committing(response, permit);
            return NOTHING;
        });
        return delegate.handle(request, permit.timed() ? new TimedServerResponse(response, permit) : response)
                .doOnError(ex -> permit.end(Outcome.FAILED))
                .doOnCancel(() -> abandoned(permit))
                .doOnTerminate(() -> {
                    if (!longLived || !connectionWatch.takesOver(request, permit)) {
                        permit.release();
                    }
                });
    }

    private void committing(ServerHttpResponse response, Permit permit) {
        HttpStatusCode status = response.getStatusCode();
        if (status != null && status.is5xxServerError()) {
            permit.end(Outcome.FAILED);
        }
        if (LongLived.isEventStream(response.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE))) {
            permit.moveTo(admission.longLived());
        }
    }

    private static void abandoned(Permit permit) {
        permit.end(Outcome.ABANDONED);
        permit.release();
    }

    private Mono<Void> refuse(ServerHttpResponse response) {
        response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
        HttpHeaders headers = response.getHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, refusal.retryAfter());
        headers.set(Refusal.MARKER_HEADER, Refusal.MARKER);
        headers.setContentLength(0);
        return response.setComplete();
    }
}
