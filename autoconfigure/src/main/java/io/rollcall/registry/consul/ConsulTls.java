package io.rollcall.registry.consul;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** The certificates of an SSL bundle. */
final class ConsulTls {

    private ConsulTls() {}

    /** What the named bundle says, or null for the JVM's own trust. */
    static @Nullable SSLContext context(RegistryDefinition definition, BeanFactory beanFactory) {
        String name = definition.sslBundle();
        if (name == null) {
            return null;
        }
        SslBundles bundles = beanFactory.getBeanProvider(SslBundles.class).getIfAvailable();
        try {
            if (bundles == null) {
                throw invalid(definition, name, "the application has no SSL bundles");
            }
            return bundles.getBundle(name).createSslContext();
        } catch (NoSuchSslBundleException ex) {
            InvalidConfigurationException invalid = invalid(definition, name, "there is no SSL bundle of that name");
            invalid.initCause(ex);
            throw invalid;
        }
    }

    private static InvalidConfigurationException invalid(RegistryDefinition definition, String name, String reason) {
        return new InvalidConfigurationException(
                definition.property("ssl.bundle"),
                name,
                reason,
                "Define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name + ".");
    }
}
