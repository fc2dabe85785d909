package io.rollcall.registry.consul;

import static io.rollcall.registry.consul.ConsulClients.TIMING;
import static io.rollcall.registry.consul.ConsulClients.check;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.autoconfigure.FailureAnalyses;
import io.rollcall.autoconfigure.RollcallAutoConfiguration;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryFactoryContract;
import io.rollcall.registry.memory.MemoryRegistryAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What becomes of a configuration. */
class ConsulRegistryFactoryTests extends RegistryFactoryContract {

    private final ApplicationContextRunner runner = runner().withConfiguration(AutoConfigurations.of(
            MemoryRegistryAutoConfiguration.class, SslAutoConfiguration.class, RollcallAutoConfiguration.class));

    ConsulRegistryFactoryTests() {
        super(ConsulRegistryAutoConfiguration.class);
    }

    @Override
    protected Set<String> schemes() {
        return Set.of("consul", "consuls");
    }

    @Override
    protected List<String> coordinates() {
        return List.of("org.apache.httpcomponents.core5:httpcore5");
    }

    @Override
    protected FilteredClassLoader withoutClientLibrary() {
        return new FilteredClassLoader("org.apache.hc");
    }

    /** Consul knows no users. */
    @Override
    protected String unreachable() {
        return "consul://127.0.0.1:1";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "url=consul: | url | names no host",
                "url=consul://a,b | url | several hosts",
                "url=consul://user:s3cr3t@a | url | knows no users",
                "url=consul://h;password=s3cr3t | url | knows no users",
                "url=consul://h?token=s3cr3t | url | unknown parameter 'token'",
                "url=consul://h?address=s3cr3t | url | can only be 'agent'",
                "url=consul://h?address=agent;prefix=swoole_service_ | url | need an address",
                "url=consul://h:0 | url | port",
                "url=consul://h;token=s3cr3t with blanks | token | no token has",
                "url=consuls://h;ssl.bundle=missing | ssl.bundle | no SSL bundle of that name",
                "url=consul://h;health-check.deregister-after=59s | health-check.deregister-after | one minute",
                "url=consul://h;health-check.interval=0s | health-check.interval | above zero",
                "url=consul://h;health-check.timeout=-1s | health-check.timeout | above zero",
                "url=consul://h;health-check.mode=ttl;interval=0 | interval | take the instance for dead",
                "url=consul://h;health-check.mode=ttl;ttl=5s | ttl | forget the instance",
                "url=memory:;health-check.mode=http | health-check.mode | do not check",
                "url=memory:;health-check.path=/x | health-check.path | do not check"
            })
    void refusesWhatCanNotBe(String properties, String property, String reason) {
        String[] set = properties.split(";");
        for (int i = 0; i < set.length; i++) {
            set[i] = "rollcall.registries.consul." + set[i];
        }
        runner.withPropertyValues(set).run(context -> {
            FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .contains("'rollcall.registries.consul." + property + "'")
                    .contains(reason)
                    .doesNotContain("s3cr3t");
            assertThat(analysis.getAction()).endsWith(".").doesNotContain("s3cr3t");
        });
    }

    @Test
    void aModeThatIsNoneFailsTheStart() {
        runner.withPropertyValues(
                        "rollcall.registries.consul.url=consul://h",
                        "rollcall.registries.consul.health-check.mode=grpc")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("grpc"));
    }

    @ParameterizedTest
    @CsvSource({",0,15", "http,0,15", "tcp,0,15", "ttl,5,15", "none,5,15"})
    void renewsOnlyWhereTheAgentDoesNotCheck(String mode, long interval, long ttl) {
        ApplicationContextRunner with = runner.withPropertyValues("rollcall.registries.consul.url=consul://h");
        (mode == null ? with : with.withPropertyValues("rollcall.registries.consul.health-check.mode=" + mode))
                .run(context -> {
                    Registry registry =
                            context.getBean(Registries.class).named("consul").orElseThrow();
                    assertThat(registry.type()).isEqualTo("consul");
                    assertThat(registry.timing().interval()).hasSeconds(interval);
                    assertThat(registry.timing().ttl()).hasSeconds(ttl);
                });
    }

    @Test
    void anIntervalThatIsSetIsKept() {
        runner.withPropertyValues("rollcall.registries.consul.url=consul://h", "rollcall.registries.consul.interval=2s")
                .run(context -> assertThat(context.getBean(Registries.class)
                                .named("consul")
                                .orElseThrow()
                                .timing()
                                .interval())
                        .hasSeconds(2));
    }

    @ParameterizedTest
    @CsvSource({
        "consul://h, http://h:8500",
        "consul://[::1]:8501/, http://[::1]:8501",
        "consuls://h:8501/a/b%20c?dc=dc2&ns=team&tag=blue&tags=x, https://h:8501/a/b%20c",
    })
    void readsUrls(String url, String base) {
        assertThat(ConsulSettings.of(ConsulClients.definition(url, Mode.TTL, TIMING, null, null))
                        .base())
                .hasToString(base);
    }

    @Test
    void readsParameters() {
        ConsulSettings settings = ConsulSettings.of(ConsulClients.definition(
                "consul://h?dc=dc2&ns=team&tag=blue&tags=x,,y&address=agent", Mode.TTL, TIMING, null, "secret"));

        assertThat(settings.query()).containsOnlyKeys("ns");
        assertThat(settings.lookupQuery()).containsOnlyKeys("dc", "tag");
        assertThat(settings.tags()).containsExactly("x", "y");
        assertThat(settings.agentAddress()).isTrue();
        assertThat(settings.toString()).doesNotContain("secret");
    }

    @Test
    void aReaderNeedsNoInterval() {
        RegistryDefinition all = ConsulClients.definition(
                "consul://h",
                check(Mode.TTL),
                new Registry.Timing(Duration.ZERO, TIMING.ttl(), TIMING.timeout()),
                null,
                null);

        assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> ConsulSettings.of(all));
        ConsulSettings.of(new RegistryDefinition(
                all.name(),
                all.url(),
                all.timing(),
                false,
                true,
                null,
                null,
                all.credentials(),
                null,
                all.healthCheck()));
    }

    @Test
    void needsNoSpringWebAndNoActuator() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.web",
                        "org.springframework.cloud.consul"))
                .withPropertyValues("rollcall.registries.consul.url=consul://h")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    RegistryFactory factory = context.getBean("consulRegistryFactory", RegistryFactory.class);
                    assertThat(factory.defaultInterval(HealthCheck.DEFAULT)).isZero();
                });
    }
}
