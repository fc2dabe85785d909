package io.rollcall.registry.redis;

import io.lettuce.core.SslOptions;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryTls;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.SslBundle;

/** Lettuce's options for TLS: a bundle's, or the JVM's own trust for {@code rediss} without one. */
final class RedisTls {

    private RedisTls() {}

    /** The options, or null if the registry is not to be called by TLS. */
    static @Nullable SslOptions options(RegistryDefinition definition, BeanFactory beanFactory) {
        SslBundle bundle = RegistryTls.bundle(definition, beanFactory);
        if (bundle == null) {
            return definition.url().scheme().equals("rediss") ? SslOptions.create() : null;
        }
        SslOptions.Builder options = SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            options.cipherSuites(ciphers);
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            options.protocols(protocols);
        }
        return options.build();
    }
}
