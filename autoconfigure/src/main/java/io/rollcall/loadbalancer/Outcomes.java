package io.rollcall.loadbalancer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import javax.net.ssl.SSLException;
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

    private static final int MAX_CAUSES = 10;

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
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if (isConnectFailure(cause)) {
                return call.movesOn();
            }
            if (isTimeout(cause)) {
                return false;
            }
            if (cause instanceof IOException && !(cause instanceof SSLException) && cause.getCause() == null) {
                return IDEMPOTENT.contains(method) && call.repeats();
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isConnectFailure(Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof UnknownHostException
                || failure instanceof UnresolvedAddressException
                || failure instanceof HttpConnectTimeoutException
                || isConnectTimeout(failure);
    }

    /** The JDK's sockets and Apache's client tell a connect time-out from others by message and subclass only. */
    private static boolean isConnectTimeout(Throwable failure) {
        return failure instanceof SocketTimeoutException
                && (failure.getClass().getSimpleName().equals("ConnectTimeoutException")
                        || "connect timed out".equalsIgnoreCase(failure.getMessage()));
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof InterruptedIOException || failure instanceof HttpTimeoutException;
    }
}
