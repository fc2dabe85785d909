package io.rollcall.concurrency;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** One endpoint for each way in which a servlet request can go on and end. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TomcatTestConfiguration {

    @Bean
    ThreadPoolTaskExecutor applicationTaskExecutor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(4);
        executor.setWaitForTasksToCompleteOnShutdown(false);
        return executor;
    }

    @Bean
    FilterRegistrationBean<Filter> throwingFilter() {
        return new FilterRegistrationBean<>((request, response, chain) -> {
            String what = ((HttpServletRequest) request).getHeader("X-Throw");
            if (what == null) {
                chain.doFilter(request, response);
                return;
            }
            throwIt(what);
        });
    }

    static void throwIt(String what) throws ServletException {
        switch (what) {
            case "runtime" -> throw new IllegalStateException("thrown by a test");
            case "checked" -> throw new ServletException("thrown by a test");
            case "assertion" -> throw new AssertionError("thrown by a test");
            case "linkage" -> throw new NoClassDefFoundError("thrown by a test");
            case "memory" -> throw new OutOfMemoryError("thrown by a test");
            default -> throw new IllegalArgumentException(what);
        }
    }

    /** Goes through asynchronous processing twice, and completes it more often than allowed. */
    @Bean
    ServletRegistrationBean<HttpServlet> roundsServlet() {
        return new ServletRegistrationBean<>(new RoundsServlet(), "/rounds");
    }

    @SuppressWarnings("serial")
    private static final class RoundsServlet extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            async.addListener(new FailingListener());
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                async.dispatch();
                return;
            }
            CompletableFuture.runAsync(() -> {
                async.complete();
                try {
                    async.complete();
                } catch (IllegalStateException expected) {
                    response.getBufferSize();
                }
            });
        }
    }

    private static final class FailingListener implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            throw new IllegalStateException("thrown by a test");
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }

    @Bean
    Held held() {
        return new Held();
    }

    @Controller
    static final class ErrorPage implements ErrorController {

        final AtomicInteger shown = new AtomicInteger();
        volatile int inFlight;
        private final Admission admission;

        ErrorPage(Admission admission) {
            this.admission = admission;
        }

        @RequestMapping("/error")
        ResponseEntity<String> error() {
            shown.incrementAndGet();
            inFlight = admission.requestGates().get(0).limiter().inFlight();
            return ResponseEntity.status(500).body("error page");
        }
    }

    @Controller
    static final class Endpoints {

        private final Held held;
        private final Executor executor;

        Endpoints(Held held, Executor executor) {
            this.held = held;
            this.executor = executor;
        }

        @RequestMapping("/plain")
        @ResponseBody
        String plain() {
            return "plain";
        }

        @RequestMapping("/hold")
        @ResponseBody
        String hold() throws InterruptedException {
            held.await();
            return "held";
        }

        @PostMapping("/echo")
        @ResponseBody
        String echo(@RequestBody String body) {
            return "read " + body.length();
        }

        @RequestMapping("/fail")
        @ResponseBody
        String fail(@RequestParam("what") String what) throws ServletException {
            throwIt(what);
            return "never";
        }

        @RequestMapping("/send-error")
        void sendError(HttpServletResponse response) throws IOException {
            response.sendError(404);
        }

        @RequestMapping("/forward")
        String forward() {
            return "forward:/plain";
        }

        @RequestMapping("/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher("/plain").include(request, response);
        }

        @RequestMapping("/callable")
        @ResponseBody
        Callable<String> callable(@RequestParam(name = "what", defaultValue = "") String what) {
            return () -> {
                if (!what.isEmpty()) {
                    throwIt(what);
                }
                return "callable";
            };
        }

        @RequestMapping("/web-async-task")
        @ResponseBody
        WebAsyncTask<String> webAsyncTask() {
            return new WebAsyncTask<>(1_000L, () -> "task");
        }

        @RequestMapping("/deferred")
        @ResponseBody
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            executor.execute(() -> result.setResult("deferred"));
            return result;
        }

        @RequestMapping("/deferred-never")
        @ResponseBody
        DeferredResult<String> never(@RequestParam("timeout") long timeout) {
            return new DeferredResult<>(timeout);
        }

        @RequestMapping("/deferred-hold")
        @ResponseBody
        DeferredResult<String> deferredHold() {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture.runAsync(() -> {
                try {
                    held.await();
                    result.setResult("held");
                } catch (InterruptedException ex) {
                    result.setErrorResult(ex);
                }
            });
            return result;
        }

        @RequestMapping("/streaming")
        ResponseEntity<StreamingResponseBody> streaming(@RequestParam(name = "size", defaultValue = "10") int size) {
            return ResponseEntity.ok(out -> stream(out, size));
        }

        @RequestMapping("/blocking-stream")
        void blockingStream(@RequestParam("size") int size, HttpServletResponse response) throws IOException {
            stream(response.getOutputStream(), size);
        }

        @RequestMapping("/emitter")
        ResponseBodyEmitter emitter(@RequestParam(name = "fail", defaultValue = "false") boolean fail) {
            ResponseBodyEmitter emitter = new ResponseBodyEmitter();
            executor.execute(() -> {
                try {
                    emitter.send("one");
                    if (fail) {
                        emitter.completeWithError(new IllegalStateException("thrown by a test"));
                    } else {
                        emitter.complete();
                    }
                } catch (IOException ex) {
                    emitter.completeWithError(ex);
                }
            });
            return emitter;
        }

        @RequestMapping("/events")
        SseEmitter events() throws IOException {
            SseEmitter emitter = new SseEmitter(0L);
            emitter.send("hello");
            executor.execute(() -> tick(emitter));
            return emitter;
        }

        private void tick(SseEmitter emitter) {
            try {
                emitter.send(Map.of("tick", System.nanoTime()));
                CompletableFuture.delayedExecutor(20, java.util.concurrent.TimeUnit.MILLISECONDS, executor)
                        .execute(() -> tick(emitter));
            } catch (IOException | IllegalStateException gone) {
                emitter.completeWithError(gone);
            }
        }

        private static void stream(OutputStream out, int size) throws IOException {
            byte[] chunk = new byte[16_384];
            for (int left = size; left > 0; left -= chunk.length) {
                out.write(chunk, 0, Math.min(left, chunk.length));
            }
        }
    }
}
