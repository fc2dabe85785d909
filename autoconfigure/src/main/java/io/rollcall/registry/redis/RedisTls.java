package io.rollcall.registry.redis;

import io.lettuce.core.SslOptions;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Lettuce's options for TLS: a bundle's, or the JVM's own trust for {@code rediss} without one. */
final class RedisTls {

    private RedisTls() {}

    /** The options, or null if the registry is not to be called by TLS. */
    static @Nullable SslOptions options(RegistryDefinition definition, BeanFactory beanFactory) {
        String name = definition.sslBundle();
        if (name == null) {
            return definition.url().scheme().equals("rediss") ? SslOptions.create() : null;
        }
        SslBundle bundle = bundle(definition, name, beanFactory);
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

    private static SslBundle bundle(RegistryDefinition definition, String name, BeanFactory beanFactory) {
        String remedy = "Define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name + ".";
        SslBundles bundles = beanFactory.getBeanProvider(SslBundles.class).getIfAvailable();
        if (bundles == null) {
            throw new InvalidConfigurationException(
                    definition.property("ssl.bundle"), name, "the application has no SSL bundles", remedy);
        }
        try {
            return bundles.getBundle(name);
        } catch (NoSuchSslBundleException ex) {
            InvalidConfigurationException invalid = new InvalidConfigurationException(
                    definition.property("ssl.bundle"), name, "there is no SSL bundle of that name", remedy);
            invalid.initCause(ex);
            throw invalid;
        }
    }
}
