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
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** How an attempt failed that brought no answer. */
enum Failure {

    /** No connection came about: nothing was sent. */
    NOT_CONNECTED,

    /** The connection broke before an answer: the server may have processed the call. */
    BROKEN,

    /** No answer came in time: the server may be at work still. */
    TIMED_OUT,

    /** No secure connection came about, or it broke. */
    INSECURE,

    /** Something that tells nothing about the server. */
    OTHER;

    private static final int MAX_CAUSES = 10;

    /** What is behind an exception, which clients wrap in their own. */
    static Failure of(@Nullable Throwable thrown) {
        Failure unless = OTHER;
        Throwable cause = thrown;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if (isConnectFailure(cause)) {
                return NOT_CONNECTED;
            }
            if (isTimeout(cause)) {
                return TIMED_OUT;
            }
            if (cause instanceof SSLException) {
                unless = INSECURE;
            } else if (cause instanceof IOException && cause.getCause() == null) {
                return BROKEN;
            }
            cause = cause.getCause();
        }
        return unless;
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

    /** Netty's read time-out is a class of its own, and Netty need not be there. */
    private static boolean isTimeout(Throwable failure) {
        return failure instanceof InterruptedIOException
                || failure instanceof HttpTimeoutException
                || failure instanceof TimeoutException
                || failure.getClass().getSimpleName().equals("ReadTimeoutException");
    }
}
