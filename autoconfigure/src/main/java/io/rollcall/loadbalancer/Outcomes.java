package io.rollcall.loadbalancer;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;

/** Decides whether what came of an attempt allows the call to be made again. */
final class Outcomes {

    /** The header by which a server promises that it did not process the request. */
    static final String REJECTED = "X-Rollcall-Rejected";

    /** RFC 9110, section 9.2.2. */
    private static final Set<HttpMethod> IDEMPOTENT = Set.of(
            HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE, HttpMethod.PUT, HttpMethod.DELETE);

    private Outcomes() {}

    /** Whether an answer says that the request was not processed. */
    static boolean isRefusal(@Nullable HttpStatusCode status, HttpHeaders headers) {
        return status != null && status.isError() && headers.containsHeader(REJECTED);
    }

    /**
     * Whether a call moves on after a failure: always if no connection came about, so that nothing was sent; if the connection
     * broke later, when the method may be repeated. Never after a time-out: the server may be at work still.
     */
    static boolean movesOn(Call call, Throwable failure, HttpMethod method) {
        return switch (Failure.of(failure)) {
            case NOT_CONNECTED -> call.movesOn();
            case BROKEN -> isIdempotent(method) && call.repeats();
            case TIMED_OUT, INSECURE, OTHER -> false;
        };
    }

    static boolean isIdempotent(@Nullable HttpMethod method) {
        return method != null && IDEMPOTENT.contains(method);
    }
}
