package io.rollcall.registry.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.Transports;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.rollcall.registry.RegistryDefinition;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.SentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connections of one registry, which are no beans. They share two threads for I/O. Nothing connects before the first command.
 *
 * @param registering for the registrar; when it breaks, the next command makes a new one
 * @param resolving for the resolver, likewise
 * @param listening for subscriptions; reconnects by itself
 * @param names looks host names up
 * @param resources the threads
 * @param timeout how long closing may take
 */
record OwnConnections(
        LettuceConnectionFactory registering,
        LettuceConnectionFactory resolving,
        LettuceConnectionFactory listening,
        AddressResolverGroup<?> names,
        ClientResources resources,
        Duration timeout) {

    private static final Duration RECONNECT_AT_FIRST = Duration.ofMillis(50);

    private static final Duration RECONNECT_AT_LAST = Duration.ofSeconds(1);

    static OwnConnections create(
            RegistryDefinition definition, RedisConfiguration location, @Nullable SslOptions sslOptions) {
        Duration timeout = definition.timing().timeout();
        Duration share = timeout.dividedBy(hosts(location));
        AddressResolverGroup<?> names = ownNames();
        ClientResources resources = resources(definition.name(), names);
        Supplier<LettuceClientConfigurationBuilder> client = () -> {
            LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
                    .clientResources(resources)
                    .commandTimeout(share)
                    .shutdownQuietPeriod(Duration.ZERO)
                    .shutdownTimeout(timeout)
                    .clientName("rollcall-" + definition.name().replaceAll("[^!-~]", "-"));
            if (sslOptions != null) {
                builder.useSsl();
            }
            return builder;
        };
        ClientOptions commands = options(share, sslOptions).autoReconnect(false).build();
        ClientOptions listening = options(share, sslOptions).autoReconnect(true).build();
        return new OwnConnections(
                factory(location, client.get().clientOptions(commands).build(), true),
                factory(location, client.get().clientOptions(commands).build(), true),
                factory(location, client.get().clientOptions(listening).build(), false),
                names,
                resources,
                timeout);
    }

    /** How many may have to be asked in one call: sentinels one after the other, always from the first on, and the master at last. */
    private static int hosts(RedisConfiguration location) {
        return location instanceof SentinelConfiguration sentinels
                ? sentinels.getSentinels().size() + 1
                : 1;
    }

    private static LettuceConnectionFactory factory(
            RedisConfiguration location, LettuceClientConfiguration configuration, boolean keepsConnection) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(location, configuration);
        factory.setShareNativeConnection(keepsConnection);
        factory.afterPropertiesSet();
        return factory;
    }

    /** As Lettuce's own, which all clients of a JVM share and nobody closes. */
    private static AddressResolverGroup<?> ownNames() {
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class)));
    }

    private static ClientResources resources(String registry, AddressResolverGroup<?> names) {
        ClientResources resources = ClientResources.builder()
                .addressResolverGroup(names)
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .threadFactoryProvider(pool -> RedisRegistryBuilder.daemons(registry, pool.replace("lettuce-", "")))
                .reconnectDelay(Delay.fullJitter(
                        RECONNECT_AT_FIRST, RECONNECT_AT_LAST, RECONNECT_AT_FIRST.toMillis(), TimeUnit.MILLISECONDS))
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        // Else the threads would end with the last client, before the sockets are closed that names are looked up with.
        resources.eventLoopGroupProvider().allocate(Transports.eventLoopGroupClass());
        return resources;
    }

    private static ClientOptions.Builder options(Duration timeout, @Nullable SslOptions sslOptions) {
        // A subscription sends nothing by itself: without keep-alive it would never notice that its peer has vanished.
        KeepAliveOptions keepAlive = KeepAliveOptions.builder()
                .enable()
                .idle(Duration.ofSeconds(10))
                .interval(Duration.ofSeconds(5))
                .count(3)
                .build();
        ClientOptions.Builder options = ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(keepAlive)
                        .build());
        if (sslOptions != null) {
            options.sslOptions(sslOptions);
        }
        return options;
    }

    void close() {
        registering.destroy();
        resolving.destroy();
        listening.destroy();
        // After the last connection that may need it, and before the threads end that close its sockets.
        names.close();
        resources.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(timeout.toMillis());
    }
}
