package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

class OutcomesTests {

    static Stream<Throwable> connectFailures() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new NoRouteToHostException(),
                new BindException("Cannot assign requested address"),
                new UnknownHostException("svc-1"),
                new HttpConnectTimeoutException("HTTP connect timed out"),
                new SocketTimeoutException("Connect timed out"),
                new SocketTimeoutException("Connect Timeout"),
                new UncheckedIOException(new ConnectException()),
                new RuntimeException(new IOException(new ConnectException())));
    }

    static Stream<Throwable> brokenConnections() {
        return Stream.of(
                new SocketException("Connection reset"),
                new EOFException(),
                new IOException("HTTP/1.1 header parser received no bytes", new EOFException()),
                new NoHttpResponseException("svc-1 failed to respond"),
                new ConnectionClosedException(),
                new ClosedChannelException(),
                new IOException("Connection reset by peer"),
                new UncheckedIOException(new IOException("Broken pipe")),
                new RuntimeException(new SocketException("Broken pipe")));
    }

    /** What happens before anything is sent to the server, or has nothing to do with it. */
    static Stream<Throwable> callersOwn() {
        return Stream.of(
                new IOException("thrown by an interceptor"),
                new IOException("Too many redirects"),
                new IOException(new SocketException("Too many open files")),
                new MessageConstraintException("Maximum line length limit exceeded"),
                new ConnectionRequestTimeoutException("Timeout deadline: 180000 MILLISECONDS"),
                new WebClientRequestException(
                        new PoolAcquireTimeoutException(Duration.ofSeconds(1)),
                        HttpMethod.GET,
                        URI.create("http://svc-1/"),
                        new HttpHeaders()),
                new InterruptedIOException("Request aborted"),
                new TokenException(new ConnectException("the token server's")),
                new ResourceAccessException("the token server's", new ConnectException()));
    }

    @ParameterizedTest
    @MethodSource("callersOwn")
    void takesTheCallersOwnFailuresForNoFaultOfTheServer(Throwable failure) {
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.GET)).isFalse();
        assertThat(Verdict.of(failure)).isEqualTo(Verdict.NONE);
    }

    static Stream<Throwable> others() {
        return Stream.of(
                new SocketTimeoutException("Read timed out"),
                new HttpTimeoutException("request timed out"),
                new IOException(new SocketTimeoutException("Read timed out")),
                new SSLHandshakeException("unable to find valid certification path"),
                new IllegalStateException("a bug"),
                cyclic());
    }

    @ParameterizedTest
    @MethodSource("connectFailures")
    void movesOnWhateverTheMethodIfNothingWasSent(Throwable failure) {
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.GET)).isTrue();
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.POST)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("brokenConnections")
    void movesOnWithIdempotentMethodsIfTheConnectionBroke(Throwable failure) {
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.GET)).isTrue();
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.PUT)).isTrue();
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.POST)).isFalse();
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.PATCH)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("others")
    void staysWithAnyOtherFailure(Throwable failure) {
        assertThat(Outcomes.movesOn(call(), failure, HttpMethod.GET)).isFalse();
    }

    @Test
    void takesTheMarkOnAnErrorStatusForARefusal() {
        HttpHeaders marked = new HttpHeaders();
        marked.set("x-rollcall-rejected", "max-concurrency");
        assertThat(Outcomes.isRefusal(HttpStatus.SERVICE_UNAVAILABLE, marked)).isTrue();
        assertThat(Outcomes.isRefusal(HttpStatus.TOO_MANY_REQUESTS, marked)).isTrue();
        assertThat(Outcomes.isRefusal(HttpStatus.OK, marked)).isFalse();
        assertThat(Outcomes.isRefusal(null, marked)).isFalse();
        assertThat(Outcomes.isRefusal(HttpStatus.SERVICE_UNAVAILABLE, new HttpHeaders()))
                .isFalse();
    }

    @Test
    void chargesTheBudgetForCallsThatEndRefused() {
        RetryBudget budget = new RetryBudget(0, 2, () -> 0);
        Call served = new Call("svc", 3, budget);
        attempt(served);
        assertThat(served.movesOn()).isTrue();
        attempt(served);
        for (int i = 0; i < 2; i++) {
            Call refused = new Call("svc", 2, budget);
            attempt(refused);
            assertThat(refused.movesOn()).isTrue();
            attempt(refused);
            assertThat(refused.movesOn()).isFalse();
        }
        Call late = new Call("svc", 2, budget);
        attempt(late);
        assertThat(late.movesOn()).isFalse();
    }

    @Test
    void chargesARetryAfterABrokenConnectionOnce() {
        RetryBudget budget = new RetryBudget(0, 2, () -> 0);
        Call broken = new Call("svc", 2, budget);
        attempt(broken);
        assertThat(broken.repeats()).isTrue();
        attempt(broken);
        assertThat(broken.repeats()).isFalse();
        assertThat(budget.allowsRetry()).isTrue();
    }

    private static Call call() {
        Call call = new Call("svc", 2, new RetryBudget(1, 1, () -> 0));
        attempt(call);
        return call;
    }

    private static void attempt(Call call) {
        List<ServiceInstance> untried = call.untried(Instances.list(10));
        call.started(untried.get(0));
    }

    /** What an interceptor or filter throws that calls another server before ours. */
    private static final class TokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TokenException(Throwable cause) {
            super(cause);
        }
    }

    private static Throwable cyclic() {
        Exception one = new Exception();
        one.initCause(new Exception(one));
        return one;
    }
}
