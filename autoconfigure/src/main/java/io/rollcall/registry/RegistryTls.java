package io.rollcall.registry;

import io.rollcall.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Finds the SSL bundle that a registry's property {@code ssl.bundle} names. */
public final class RegistryTls {

    private RegistryTls() {}

    /**
     * The bundle of a registry.
     *
     * @param definition the registry
     * @param beanFactory has the application's SSL bundles
     * @return the bundle, or null if the property is not set
     * @throws InvalidConfigurationException if there is no such bundle
     */
    public static @Nullable SslBundle bundle(RegistryDefinition definition, BeanFactory beanFactory) {
        String name = definition.sslBundle();
        if (name == null) {
            return null;
        }
        SslBundles bundles = beanFactory.getBeanProvider(SslBundles.class).getIfAvailable();
        if (bundles == null) {
            throw invalid(definition, name, "the application has no SSL bundles");
        }
        try {
            return bundles.getBundle(name);
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
