package io.rollcall.loadbalancer;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.ResponseData;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/** What the end of an attempt says about the health of its instance. */
enum Verdict {

    /** It answered as a working server does. */
    SERVED,

    /** It answered with a server error, or not in time, or could not prove who it is. */
    ERRED,

    /** No connection to it came about, or it broke before an answer. */
    UNREACHABLE,

    /** Nothing: it refused for being full, or the caller gave up. */
    NONE;

    /** Reads what Spring Cloud LoadBalancer tells its lifecycles. */
    static Verdict of(CompletionContext<?, ?, ?> completion) {
        return switch (completion.status()) {
            case DISCARD -> NONE;
            case FAILED -> of(completion.getThrowable());
            case SUCCESS ->
                completion.getClientResponse() instanceof ResponseData response
                        ? of(response.getHttpStatus(), response.getHeaders())
                        : SERVED;
        };
    }

    static Verdict of(@Nullable HttpStatusCode status, @Nullable HttpHeaders headers) {
        if (headers != null && Outcomes.isRefusal(status, headers)) {
            return NONE;
        }
        return status != null && status.is5xxServerError() ? ERRED : SERVED;
    }

    static Verdict of(@Nullable Throwable thrown) {
        return switch (Failure.of(thrown)) {
            case NOT_CONNECTED, BROKEN -> UNREACHABLE;
            case TIMED_OUT, INSECURE -> ERRED;
            case OTHER -> NONE;
        };
    }
}
