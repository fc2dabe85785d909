package io.rollcall.registry;

import io.rollcall.registry.RegistryHttp.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.nio.ClientHttp1IOEventHandler;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexerFactory;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.ssl.BasicClientTlsStrategy;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.nio.support.BasicClientExchangeHandler;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.nio.support.BasicResponseConsumer;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.ByteArrayBuffer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.function.SingletonSupplier;

/** The thread that waits for a client's connections, and makes one for every call. Thread-safe. */
final class HttpReactor implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(HttpReactor.class);

    /** Deadlines are the client's. */
    private static final IOReactorConfig CONFIG = IOReactorConfig.custom()
            .setIoThreadCount(1)
            .setTcpNoDelay(true)
            .setSoTimeout(Timeout.DISABLED)
            .build();

    /** No honest answer has heads of more than that. */
    private static final Http1Config HEADS = Http1Config.custom()
            .setMaxLineLength(64 * 1024)
            .setMaxHeaderCount(200)
            .build();

    private static final HttpProcessor PROCESSOR = HttpProcessorBuilder.create()
            .addAll(RequestTargetHost.INSTANCE, RequestContent.INSTANCE)
            .build();

    private static final long END_MILLIS = 1000;

    private final ClientHttp1StreamDuplexerFactory protocol =
            new ClientHttp1StreamDuplexerFactory(PROCESSOR, HEADS, null);

    private final ThreadFactory threads;

    private final SingletonSupplier<TlsStrategy> tls;

    private final Timeout connectTimeout;

    private @Nullable DefaultConnectingIOReactor reactor;

    private @Nullable Thread thread;

    private boolean closed;

    HttpReactor(ThreadFactory threads, @Nullable SslBundle bundle, Duration connectTimeout) {
        this.threads = threads;
        this.tls =
                bundle == null ? SingletonSupplier.of(BasicClientTlsStrategy::new) : SingletonSupplier.of(tls(bundle));
        this.connectTimeout = Timeout.of(connectTimeout);
    }

    /** Checks host names too, and allows nothing that has long been unsafe. */
    private static TlsStrategy tls(SslBundle bundle) {
        SslOptions options = bundle.getOptions();
        return new BasicClientTlsStrategy(
                bundle.createSslContext(),
                (endpoint, engine) -> {
                    if (options.getCiphers() != null) {
                        engine.setEnabledCipherSuites(options.getCiphers());
                    }
                    if (options.getEnabledProtocols() != null) {
                        engine.setEnabledProtocols(options.getEnabledProtocols());
                    }
                },
                null);
    }

    /**
     * Sends a request, and completes the answer. If that is completed otherwise, the connection is closed. One that is being made
     * then is let come about first, in its own time: the reactor hands a connection that was given up in this moment to nobody, who
     * could close it.
     */
    void exchange(HttpRequest request, byte @Nullable [] body, CompletableFuture<Answer> answer) {
        reactor()
                .connect(
                        request.getAuthority(),
                        null,
                        null,
                        connectTimeout,
                        request.getScheme(),
                        new Callback<>(answer, session -> {
                            answer.whenComplete((received, failure) -> {
                                if (failure != null) {
                                    session.close(CloseMode.IMMEDIATE);
                                }
                            });
                            session.enqueue(command(request, body, answer), Command.Priority.NORMAL);
                        }));
    }

    private static Command command(HttpRequest request, byte @Nullable [] body, CompletableFuture<Answer> answer) {
        return new RequestExecutionCommand(
                new BasicClientExchangeHandler<>(
                        new BasicRequestProducer(
                                request,
                                body == null ? null : new BasicAsyncEntityProducer(body, ContentType.APPLICATION_JSON)),
                        new BasicResponseConsumer<>(new Body()),
                        new Callback<>(answer, received -> answer.complete(answer(received)))),
                HttpCoreContext.create());
    }

    private static Answer answer(Message<HttpResponse, byte[]> received) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : received.getHead().getHeaders()) {
            headers.put(header.getName().toLowerCase(Locale.ROOT), header.getValue());
        }
        byte[] body = received.getBody();
        return new Answer(received.getHead().getCode(), headers, body == null ? new byte[0] : body);
    }

    private synchronized DefaultConnectingIOReactor reactor() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        // An error, such as a lack of memory, ends the thread, which must not end all calls for good.
        if (reactor == null || thread == null || !thread.isAlive()) {
            reactor = new DefaultConnectingIOReactor(
                    this::handler,
                    CONFIG,
                    this::thread,
                    null,
                    failure -> logger.debug("A connection failed", failure),
                    null,
                    session -> session.close(CloseMode.IMMEDIATE));
            reactor.start();
        }
        return reactor;
    }

    private Thread thread(Runnable task) {
        Thread created = threads.newThread(task);
        thread = created;
        return created;
    }

    private IOEventHandler handler(ProtocolIOSession session, Object scheme) {
        if (URIScheme.HTTPS.same((String) scheme)) {
            tls.obtain().upgrade(session, session.getInitialEndpoint(), null, connectTimeout, null);
        }
        return new ClientHttp1IOEventHandler(protocol.create(session));
    }

    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            closed = true;
            ending = thread;
            if (reactor != null) {
                reactor.initiateShutdown();
            }
        }
        if (ending != null) {
            try {
                // Its own way to end: it closes all there is, with no other thread between.
                ending.interrupt();
                ending.join(END_MILLIS);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What fails fails the answer. */
    private record Callback<T>(CompletableFuture<Answer> answer, Consumer<T> then) implements FutureCallback<T> {

        @Override
        public void completed(T result) {
            then.accept(result);
        }

        @Override
        public void failed(Exception ex) {
            answer.completeExceptionally(ex instanceof IOException ? ex : new IOException(ex.toString(), ex));
        }

        @Override
        public void cancelled() {
            answer.cancel(false);
        }
    }

    /** Of bounded length. */
    private static final class Body extends AbstractBinAsyncEntityConsumer<byte[]> {

        private final ByteArrayBuffer bytes = new ByteArrayBuffer(4096);

        @Override
        protected void streamStart(ContentType contentType) {
            // Whatever it claims to be.
        }

        @Override
        protected int capacityIncrement() {
            return Integer.MAX_VALUE;
        }

        @Override
        protected void data(ByteBuffer source, boolean endOfStream) throws IOException {
            if (bytes.length() + source.remaining() > RegistryHttp.MAX_BYTES) {
                throw new IOException("the answer is longer than " + RegistryHttp.MAX_BYTES + " bytes");
            }
            bytes.append(source);
        }

        @Override
        protected byte[] generateContent() {
            return bytes.toByteArray();
        }

        @Override
        public void releaseResources() {
            bytes.clear();
        }
    }
}
