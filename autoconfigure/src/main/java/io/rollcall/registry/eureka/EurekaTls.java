package io.rollcall.registry.eureka;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** Makes sockets by an SSL bundle. */
final class EurekaTls {

    private EurekaTls() {}

    /** The bundle's, or null for the JVM's own trust. */
    static @Nullable SSLSocketFactory socketFactory(RegistryDefinition definition, BeanFactory beanFactory) {
        String name = definition.sslBundle();
        if (name == null) {
            return null;
        }
        String remedy = "Define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name + ".";
        SslBundles bundles = beanFactory.getBeanProvider(SslBundles.class).getIfAvailable();
        if (bundles == null) {
            throw new InvalidConfigurationException(
                    definition.property("ssl.bundle"), name, "the application has no SSL bundles", remedy);
        }
        try {
            return bundles.getBundle(name).createSslContext().getSocketFactory();
        } catch (NoSuchSslBundleException ex) {
            InvalidConfigurationException invalid = new InvalidConfigurationException(
                    definition.property("ssl.bundle"), name, "there is no SSL bundle of that name", remedy);
            invalid.initCause(ex);
            throw invalid;
        }
    }
}
