package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletContext;

/** The filter without and with a container's word on the end of a request. */
class ConcurrencyFilterTests {

    private final Admission admission = new AdmissionFactory(
                    new LimiterFactory(BulkheadRegistry.ofDefaults(), LimitBounds.of(null, null, OptionalInt.empty())),
                    System::nanoTime)
            .create(properties(), Stream.empty());
    private final ConcurrencyFilter filter =
            new ConcurrencyFilter(admission, Refusal.of(503, Duration.ZERO), UpgradeWatch.NONE);
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    void givesThePermitBackItselfWithoutAContainer() throws Exception {
        this.request.setAsyncSupported(true);
        run((request, response) -> ((HttpServletResponse) response).sendError(500));
        assertThatThrownBy(() -> run((request, response) -> {
                    throw new IllegalStateException("thrown by a test");
                }))
                .isInstanceOf(IllegalStateException.class);
        run((request, response) -> request.startAsync());
        assertThat(inFlight()).isZero();
    }

    @Test
    void leavesARequestWithAnErrorToTheContainer() throws Exception {
        RequestEnd end = new RequestEnd();
        ServletRequestEvent event = new ServletRequestEvent(new MockServletContext(), this.request);
        end.requestInitialized(event);
        run((request, response) -> ((HttpServletResponse) response).sendError(500));
        assertThat(inFlight()).isEqualTo(1);
        end.requestDestroyed(event);
        end.requestDestroyed(event);
        assertThat(inFlight()).isZero();
    }

    @Test
    void doesNotRelyOnTheContainerAfterAnErrorOfTheVirtualMachine() {
        new RequestEnd().requestInitialized(new ServletRequestEvent(new MockServletContext(), this.request));
        this.request.setAsyncSupported(true);
        assertThatThrownBy(() -> run((request, response) -> {
                    throw new OutOfMemoryError("thrown by a test");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(inFlight()).isZero();
        assertThatThrownBy(() -> run((request, response) -> {
                    request.startAsync();
                    throw new OutOfMemoryError("thrown by a test");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(inFlight()).isZero();
    }

    private void run(FilterChain handler) throws Exception {
        filter.doFilter(this.request, this.response, (request, response) -> {
            assertThat(inFlight()).isEqualTo(1);
            handler.doFilter(request, response);
        });
        assertThat(this.response.getHeader(Refusal.MARKER_HEADER)).isNull();
    }

    private int inFlight() {
        return admission.requestGates().get(0).limiter().inFlight();
    }

    private static ConcurrencyProperties properties() {
        ConcurrencyProperties properties = new ConcurrencyProperties();
        properties.setMaxConcurrency("1");
        return properties;
    }
}
