package io.rollcall.loadbalancer;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedRuntimeException;
import org.springframework.web.client.RestClientException;

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

    /** What the JDK says in a plain exception if a connection broke. */
    private static final Pattern BREAK_MESSAGES =
            Pattern.compile("Broken pipe|Connection reset by peer|Error writing to server|.*GOAWAY received");

    /** Of libraries that need not be there: Apache's client twice, Reactor Netty, Netty. */
    private static final Set<String> BREAKS = Set.of(
            "NoHttpResponseException", "ConnectionClosedException", "PrematureCloseException", "NativeIoException");

    /**
     * What is behind an exception, which HTTP clients wrap in their own. What others wrap, such as an interceptor that could not
     * get a token, happened to a call of theirs. So did what {@code RestClient} and {@code RestTemplate} wrap: they do it beyond the
     * load balancer.
     */
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
            } else if (isBreak(cause)) {
                return BROKEN;
            } else if (!isWrapper(cause)) {
                return unless;
            }
            cause = cause.getCause();
        }
        return unless;
    }

    private static boolean isWrapper(Throwable failure) {
        String name = failure.getClass().getName();
        return failure instanceof IOException
                || (failure instanceof NestedRuntimeException && !(failure instanceof RestClientException))
                || failure instanceof UncheckedIOException
                || failure instanceof ExecutionException
                || failure instanceof CompletionException
                || failure.getClass() == RuntimeException.class
                || name.startsWith("reactor.")
                || name.startsWith("io.netty.");
    }

    private static boolean isBreak(Throwable failure) {
        return (failure instanceof SocketException && !isOutOfDescriptors(failure))
                || failure instanceof EOFException
                || (failure instanceof ClosedChannelException && !(failure instanceof ClosedByInterruptException))
                || BREAKS.contains(failure.getClass().getSimpleName())
                || (failure.getClass() == IOException.class
                        && failure.getMessage() != null
                        && BREAK_MESSAGES.matcher(failure.getMessage()).matches());
    }

    /** The caller's own misery, before there is any connection. */
    private static boolean isOutOfDescriptors(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Too many open files");
    }

    /** One is that all of the caller's ports are in use for connections to that address: then another may be reached. */
    private static boolean isConnectFailure(Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof BindException
                || failure instanceof NoRouteToHostException
                || failure instanceof UnknownHostException
                || failure instanceof UnresolvedAddressException
                || failure instanceof HttpConnectTimeoutException
                || isConnectTimeout(failure);
    }

    /** The JDK's sockets, Jetty's and Apache's clients tell a connect time-out from others by message and subclass only. */
    private static boolean isConnectTimeout(Throwable failure) {
        return failure instanceof SocketTimeoutException
                && (failure.getClass().getSimpleName().equals("ConnectTimeoutException")
                        || "connect timed out".equalsIgnoreCase(failure.getMessage())
                        || "connect timeout".equalsIgnoreCase(failure.getMessage()));
    }

    /**
     * Netty's read time-out is a class of its own, and Netty need not be there. To wait in vain for a connection of the caller's
     * own pool is no time-out of the server's.
     */
    private static boolean isTimeout(Throwable failure) {
        return failure instanceof SocketTimeoutException
                || failure instanceof HttpTimeoutException
                || failure.getClass() == TimeoutException.class
                || failure.getClass().getSimpleName().equals("ReadTimeoutException");
    }
}
