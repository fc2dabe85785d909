package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Registry.Timing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** A connection of the registry's own, begun by the first call. Curator replaces its session when that has expired. */
final class OwnConnection implements ZookeeperConnection {

    /**
     * An answer that is longer cuts the connection, by which the registration is renewed too: the client's default of 1 MB is what a
     * stranger exceeds who adds many nodes to a service, or few of long names.
     */
    private static final int MAX_PACKET = 64 * 1024 * 1024;

    private static final Duration MAX_CLOSE = Duration.ofSeconds(1);

    /** Rollcall repeats calls itself. */
    private static final RetryPolicy NEVER = (retryCount, elapsedTimeMs, sleeper) -> false;

    private final String threadPrefix;

    private final CuratorFramework curator;

    private final Object lock = new Object();

    private @Nullable State state;

    private enum State {
        STARTED,
        CLOSED
    }

    OwnConnection(String name, ZookeeperSettings settings, Timing timing) {
        this.threadPrefix = "rollcall-" + name;
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.connectString())
                .sessionTimeoutMs(millis(timing.ttl()))
                .connectionTimeoutMs(millis(timing.timeout()))
                .waitForShutdownTimeoutMs((int) MAX_CLOSE.toMillis())
                .retryPolicy(NEVER)
                // The hosts are those of the URL, not those that the servers know each other by.
                .ensembleTracker(false)
                .threadFactory(threads())
                .zookeeperFactory(new NamedZookeeperFactory(threadPrefix))
                .zkClientConfig(clientConfig());
        String digest = settings.digest();
        if (digest != null) {
            builder.authorization("digest", digest.getBytes(StandardCharsets.UTF_8));
        }
        this.curator = builder.build();
    }

    private ThreadFactory threads() {
        CustomizableThreadFactory factory = new CustomizableThreadFactory(threadPrefix + "-curator-");
        factory.setDaemon(true);
        return factory;
    }

    private static ZKClientConfig clientConfig() {
        ZKClientConfig config = new ZKClientConfig();
        int configured = config.getInt(ZKConfig.JUTE_MAXBUFFER, MAX_PACKET);
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(Math.max(MAX_PACKET, configured)));
        return config;
    }

    private static int millis(Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, duration.toMillis());
    }

    @Override
    public ZooKeeper session() throws Exception {
        synchronized (lock) {
            if (state == State.CLOSED) {
                throw new IllegalStateException("the connection to ZooKeeper is closed");
            }
            if (state == null) {
                curator.start();
                state = State.STARTED;
            }
        }
        return SharedConnection.connected(curator);
    }

    @Override
    public String namespace() {
        return "";
    }

    @Override
    public boolean exclusive() {
        return true;
    }

    @Override
    public void close() {
        synchronized (lock) {
            State before = state;
            state = State.CLOSED;
            if (before != State.STARTED) {
                return;
            }
        }
        // To close a session asks the server, which may hang: then the interrupt makes the client give up and close its
        // socket.
        Thread closer = new Thread(curator::close, threadPrefix + "-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(MAX_CLOSE.toMillis());
            if (closer.isAlive()) {
                closer.interrupt();
                closer.join(MAX_CLOSE.toMillis());
            }
        } catch (InterruptedException ex) {
            closer.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
