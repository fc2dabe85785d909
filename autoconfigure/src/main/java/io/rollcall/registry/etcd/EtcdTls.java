package io.rollcall.registry.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryTls;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.SslBundle;

/** Makes the TLS of a registry's connections: a bundle's, or the JVM's own trust for {@code etcds} without one. */
final class EtcdTls {

    private EtcdTls() {}

    /** The context, or null if the registry is not to be called by TLS. */
    static @Nullable SslContext context(RegistryDefinition definition, BeanFactory beanFactory) {
        SslBundle bundle = RegistryTls.bundle(definition, beanFactory);
        if (bundle == null && !definition.url().scheme().equals("etcds")) {
            return null;
        }
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        try {
            if (bundle != null) {
                configure(builder, bundle);
            }
            return builder.build();
        } catch (SSLException ex) {
            InvalidConfigurationException invalid = new InvalidConfigurationException(
                    definition.property("ssl.bundle"),
                    definition.sslBundle(),
                    "no TLS can be made of it: " + ex.getMessage(),
                    "Correct the bundle's keys, protocols and ciphers.");
            invalid.initCause(ex);
            throw invalid;
        }
    }

    private static void configure(SslContextBuilder builder, SslBundle bundle) {
        builder.keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            builder.ciphers(List.of(ciphers));
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            builder.protocols(protocols);
        }
    }
}
