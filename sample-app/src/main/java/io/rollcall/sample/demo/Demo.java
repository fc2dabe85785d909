package io.rollcall.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/** Everything in one JVM: a Redis, a ZooKeeper, three providers in both, and a consumer that calls them. */
public final class Demo implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(Demo.class);

    private static final int USUAL_PORT = 8080;

    private static final int PROVIDERS = 3;

    private final List<RegistryServer> registries = new ArrayList<>();

    private final List<Provider> providers = new ArrayList<>();

    private final List<String> args;

    private volatile @Nullable ConfigurableApplicationContext consumer;

    /**
     * @param args arguments for the consumer, such as {@code --server.port=0}
     */
    public Demo(String... args) {
        this.args = List.of(args);
    }

    /** Starts everything, or nothing if something fails. */
    public synchronized void start() throws IOException {
        shareLog();
        try {
            startRegistries();
            startApplications();
            tell();
        } catch (IOException | RuntimeException ex) {
            close();
            throw ex;
        }
    }

    /** The applications write to one log, as logback.xml says: none may set it up anew while others use it. */
    private static void shareLog() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private void startRegistries() throws IOException {
        registries.add(new EmbeddedRedis());
        registries.add(new EmbeddedZookeeper());
        for (RegistryServer registry : registries) {
            registry.start();
            logger.info("{} is {}", registry.name(), registry.url());
        }
    }

    private void startApplications() {
        List<String> arguments = new ArrayList<>(List.of("--spring.config.name=application,demo"));
        for (RegistryServer registry : registries) {
            arguments.add("--rollcall.registries." + registry.name() + ".url=" + registry.url());
        }
        for (int i = 1; i <= PROVIDERS; i++) {
            Provider provider = new Provider("greeter-" + i, new Launcher(arguments));
            providers.add(provider);
            provider.start();
        }
        arguments.addAll(args);
        consumer = new Launcher(arguments)
                .start(
                        List.of("consumer", "demo"),
                        Map.of("server.port", freePort()),
                        created -> created.getBeanFactory().registerSingleton("demo", this));
    }

    private void tell() {
        logger.info("Watch it:   {}/", url());
        logger.info("Call it:    curl {}/greeting", url());
        logger.info("Stop it:    Ctrl-C");
    }

    /** The usual port, or 0 for any other if that is taken. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException ex) {
            return 0;
        }
    }

    /** Where the consumer is. */
    public String url() {
        ConfigurableApplicationContext started = consumer;
        if (started == null) {
            throw new IllegalStateException("The consumer is not started");
        }
        return "http://127.0.0.1:" + started.getEnvironment().getProperty("local.server.port");
    }

    List<Provider> providers() {
        return providers;
    }

    List<RegistryServer> registries() {
        return registries;
    }

    Provider provider(String id) {
        return find(providers, Provider::id, id);
    }

    RegistryServer registry(String name) {
        return find(registries, RegistryServer::name, name);
    }

    private static <T> T find(List<T> all, Function<T, String> name, String wanted) {
        return all.stream()
                .filter(each -> name.apply(each).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("There is no " + wanted));
    }

    /** Stops the caller, then those who are called, and the registries last. */
    @Override
    public synchronized void close() {
        ConfigurableApplicationContext started = consumer;
        if (started != null) {
            started.close();
        }
        inParallel(providers.stream().map(provider -> provider::stop));
        inParallel(registries.stream().map(registry -> registry::close));
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private static void inParallel(Stream<Runnable> tasks) {
        CompletableFuture.allOf(tasks.map(CompletableFuture::runAsync).toArray(CompletableFuture[]::new))
                .join();
    }
}
