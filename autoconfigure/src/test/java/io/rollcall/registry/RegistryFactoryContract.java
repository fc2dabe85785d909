package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is asked of the factory of every kind of registry that needs a client library. */
public abstract class RegistryFactoryContract {

    private static final String NAME = "made";

    private final ApplicationContextRunner runner;

    /**
     * @param autoConfigurations the registry's, and what it needs
     */
    protected RegistryFactoryContract(Class<?>... autoConfigurations) {
        this.runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(autoConfigurations));
    }

    protected final ApplicationContextRunner runner() {
        return runner;
    }

    /** The schemes of its URLs. */
    protected abstract Set<String> schemes();

    /** What has to be added to an application that lacks the client library. */
    protected abstract List<String> coordinates();

    /** A class loader that lacks the client library. */
    protected abstract FilteredClassLoader withoutClientLibrary();

    /** A URL with the user {@code user} and the password {@code secret}, where nobody answers. */
    protected abstract String unreachable();

    protected static RegistryDefinition definition(String url) {
        return definition(url, Timing.DEFAULT, null, null, null);
    }

    /** With the credentials of the URL, or those given. */
    protected static RegistryDefinition definition(
            String url, Timing timing, String prefix, Credentials credentials, String sslBundle) {
        RegistryUrl parsed = RegistryUrl.parse(url);
        return new RegistryDefinition(
                NAME,
                parsed,
                timing,
                true,
                true,
                null,
                prefix,
                credentials == null ? new Credentials(parsed.username(), parsed.password(), null) : credentials,
                sslBundle);
    }

    @Test
    void tellsWhatIsMissingWithoutTheClientLibrary() {
        runner.withClassLoader(withoutClientLibrary()).run(context -> {
            RegistryFactory factory = context.getBean(RegistryFactory.class);
            assertThat(factory.schemes()).isEqualTo(schemes());
            assertThat(factory.coordinates()).isEqualTo(coordinates());
            assertThat(factory.requiredClasses())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThatExceptionOfType(ClassNotFoundException.class)
                            .isThrownBy(() -> Class.forName(name, false, context.getClassLoader())));
        });
    }

    @Test
    void theRequiredClassesAreThoseOfTheClientLibrary() {
        runner.run(context -> assertThat(context.getBean(RegistryFactory.class).requiredClasses())
                .allSatisfy(name -> assertThatNoException().isThrownBy(() -> Class.forName(name))));
    }

    @Test
    void doesNotConnectUntilItIsCalled() {
        runner.run(context -> {
            Registry registry = context.getBean(RegistryFactory.class).create(definition(unreachable()));

            assertThat(registry.type()).isIn(schemes());
            assertThat(registry.url()).doesNotContain("secret");
            assertThat(registry.toString()).doesNotContain("secret");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("rollcall-" + NAME));
            registry.client().close();
            registry.client().close();
        });
    }

    /** Its making fails by the property, for the reason, with a remedy and without secrets. */
    protected final void assertInvalid(RegistryDefinition definition, String property, String reason) {
        runner.run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> context.getBean(RegistryFactory.class).create(definition))
                .satisfies(ex -> {
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries." + NAME + "." + property);
                    assertThat(ex.getReason()).contains(reason);
                    assertThat(ex.getRemedy()).endsWith(".");
                    assertThat(ex.getMessage() + ex.getRemedy()).doesNotContain("secret", "tok ");
                }));
    }
}
