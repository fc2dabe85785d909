package io.rollcall.registry.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Makes the TLS of a registry's connections: a bundle's, or the JVM's own trust for {@code etcds} without one. */
final class EtcdTls {

    private EtcdTls() {}

    /** The context, or null if the registry is not to be called by TLS. */
    static @Nullable SslContext context(RegistryDefinition definition, BeanFactory beanFactory) {
        String name = definition.sslBundle();
        if (name == null && !definition.url().scheme().equals("etcds")) {
            return null;
        }
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        try {
            if (name != null) {
                configure(builder, bundle(definition, name, beanFactory));
            }
            return builder.build();
        } catch (SSLException ex) {
            throw invalid(
                    definition,
                    name,
                    "no TLS can be made of it: " + ex.getMessage(),
                    "Correct the bundle's keys, protocols and ciphers.",
                    ex);
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

    private static SslBundle bundle(RegistryDefinition definition, String name, BeanFactory beanFactory) {
        String remedy = "Define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name + ".";
        SslBundles bundles = beanFactory.getBeanProvider(SslBundles.class).getIfAvailable();
        if (bundles == null) {
            throw invalid(definition, name, "the application has no SSL bundles", remedy, null);
        }
        try {
            return bundles.getBundle(name);
        } catch (NoSuchSslBundleException ex) {
            throw invalid(definition, name, "there is no SSL bundle of that name", remedy, ex);
        }
    }

    private static InvalidConfigurationException invalid(
            RegistryDefinition definition,
            @Nullable String name,
            String reason,
            String remedy,
            @Nullable Exception cause) {
        InvalidConfigurationException invalid =
                new InvalidConfigurationException(definition.property("ssl.bundle"), name, reason, remedy);
        if (cause != null) {
            invalid.initCause(cause);
        }
        return invalid;
    }
}
