package io.rollcall.registry.nacos;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.SecretLogging;
import java.time.Clock;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/** Puts one registry together. */
final class NacosRegistry {

    /** At level ERROR it prints requests that failed, with the token that goes with them. */
    private static final String CLIENT_LOGGER = "com.alibaba.nacos.common.remote.client";

    /** At level DEBUG it prints all headers and data that are sent. */
    private static final String FRAME_LOGGER =
            "com.alibaba.nacos.shaded.io.grpc.netty.shaded.io.grpc.netty.NettyClientHandler";

    private NacosRegistry() {}

    static Registry create(
            RegistryDefinition definition, NacosSettings settings, BeanFactory beanFactory, Clock clock) {
        if (definition.credentials().password() != null) {
            SecretLogging.limit(beanFactory, CLIENT_LOGGER, LogLevel.OFF);
            SecretLogging.limit(beanFactory, FRAME_LOGGER, LogLevel.INFO);
        }
        NacosLogin login = new NacosLogin(
                settings.servers(),
                definition.credentials(),
                definition.timing().timeout(),
                clock);
        String threadPrefix = "rollcall-" + definition.name();
        Function<NacosConnection.Role, NacosConnection> connections =
                role -> new NacosConnection(threadPrefix, settings.servers(), login, definition.timing(), role);
        Subscriptions subscriptions = new Subscriptions();
        NacosConnection resolving = connections.apply(subscriptions);
        InstanceCodec codec = new InstanceCodec(
                settings.cluster(), settings.names().swoole() ? NacosWeight.SWOOLE : NacosWeight.USUAL);
        NacosRegistrar registrar = new NacosRegistrar(connections, settings, codec);
        return definition.toRegistry(
                NacosRegistryFactory.TYPE,
                registrar,
                new NacosResolver(
                        resolving,
                        settings,
                        codec,
                        subscriptions,
                        definition.timing().timeout().dividedBy(2)),
                () -> {
                    registrar.close();
                    resolving.close();
                });
    }
}
