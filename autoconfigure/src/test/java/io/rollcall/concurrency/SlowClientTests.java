package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.mock.web.MockHttpServletResponse;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Sinks;

/** What a limit that learns is told when the client reads slowly. */
class SlowClientTests {

    private static final int WORK = 7;
    private static final int WAIT = 1_000;

    private final AtomicLong clock = new AtomicLong();
    private final Recorder recorder = new Recorder();
    private final Permit permit = new Gate("test", recorder, clock::get).tryEnter();

    @Test
    void leavesOutBlockedWritesOfAStream() throws IOException {
        WatchedResponse response = new WatchedResponse(new SlowResponse(), permit);
        ServletOutputStream out = response.getOutputStream();
        work();
        out.write(new byte[100_000]);
        work();
        out.write(new byte[1]);
        work();
        out.flush();
        permit.release();
        assertThat(recorder.samples).containsExactly(3 * WORK + " ANSWERED");
    }

    @Test
    void leavesOutBlockedWritesOfAWriter() throws IOException {
        WatchedResponse response = new WatchedResponse(new SlowResponse(), permit);
        PrintWriter out = response.getWriter();
        work();
        out.print("x".repeat(100_000));
        work();
        out.printf("%d", 1);
        out.flush();
        response.flushBuffer();
        permit.release();
        assertThat(recorder.samples).containsExactly(2 * WORK + " ANSWERED");
    }

    @Test
    void countsWhatIsWrittenIntoTheBufferAsWork() throws IOException {
        SlowResponse slow = new SlowResponse();
        slow.setCommitted(false);
        new WatchedResponse(slow, permit).getOutputStream().write(new byte[10]);
        permit.release();
        assertThat(recorder.samples).containsExactly(WAIT + " ANSWERED");
    }

    @Test
    void leavesOutTheTimeWithoutDemand() {
        Sinks.Many<String> body = Sinks.many().unicast().onBackpressureBuffer();
        BaseSubscriber<String> client = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(2);
            }
        };
        body.asFlux().subscribe(new DemandWatch<>(client, permit));
        work();
        body.tryEmitNext("one");
        work();
        body.tryEmitNext("two");
        clock.addAndGet(WAIT);
        client.request(5);
        work();
        body.tryEmitNext("three");
        work();
        body.tryEmitComplete();
        clock.addAndGet(WAIT);
        permit.release();
        assertThat(recorder.samples).containsExactly(4 * WORK + " ANSWERED");
    }

    private void work() {
        clock.addAndGet(WORK);
    }

    /** Every write takes the client a while. */
    private final class SlowResponse extends MockHttpServletResponse {

        SlowResponse() {
            setCommitted(true);
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int b) {
                    SlowClientTests.this.clock.addAndGet(WAIT);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) {
                    SlowClientTests.this.clock.addAndGet(WAIT);
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}
            };
        }

        @Override
        public PrintWriter getWriter() {
            Writer slow = new StringWriter() {
                @Override
                public void write(String text, int offset, int length) {
                    SlowClientTests.this.clock.addAndGet(WAIT);
                }
            };
            return new PrintWriter(slow);
        }
    }
}
