package io.rollcall.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.discovery.DiscoveryAutoConfiguration;
import io.rollcall.registration.RegistrationAutoConfiguration;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.memory.MemoryRegistryAutoConfiguration;
import io.rollcall.registry.redis.RedisRegistryAutoConfiguration;
import io.rollcall.registry.zookeeper.ZookeeperRegistryAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;

@ExtendWith(OutputCaptureExtension.class)
class RegistryConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    UtilAutoConfiguration.class,
                    MemoryRegistryAutoConfiguration.class,
                    ZookeeperRegistryAutoConfiguration.class,
                    RedisRegistryAutoConfiguration.class,
                    RollcallAutoConfiguration.class,
                    RegistrationAutoConfiguration.class,
                    DiscoveryAutoConfiguration.class))
            .withPropertyValues("spring.application.name=orders");

    @Test
    void withoutAnyRegistryThereIsOneInThisJvmAndOneLineThatSaysSo(CapturedOutput output) {
        runner.run(context -> {
            assertThat(context.getBean(Registries.class).names()).containsExactly("memory");
            assertThat(output.toString().lines().filter(line -> line.contains("No registry is configured")))
                    .hasSize(1);
        });
    }

    @Test
    void canBeSwitchedOff() {
        runner.withPropertyValues("rollcall.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Registries.class));
    }

    @Test
    void severalRegistriesOfOneKindAreKeptApartByTheirNames() {
        runner.withPropertyValues("rollcall.registries.b.url=memory:one", "rollcall.registries.a.url=memory:one")
                .run(context ->
                        assertThat(context.getBean(Registries.class).names()).containsExactly("b", "a"));
    }

    @Test
    void theOrderPutsTheNamedOnesFirst() {
        runner.withPropertyValues(
                        "rollcall.registries.a.url=memory:a",
                        "rollcall.registries.b.url=memory:b",
                        "rollcall.registries.c.url=memory:c",
                        "rollcall.discovery.order=c,a")
                .run(context ->
                        assertThat(context.getBean(Registries.class).names()).containsExactly("c", "a", "b"));
    }

    @Test
    void registersAndResolvesOnlyWhereItIsTold() {
        runner.withPropertyValues(
                        "rollcall.registries.a.url=memory:a",
                        "rollcall.registries.a.register=false",
                        "rollcall.registries.b.url=memory:b",
                        "rollcall.registries.b.resolve=false")
                .run(context -> {
                    Registries registries = context.getBean(Registries.class);
                    assertThat(registries.named("a").orElseThrow().registrar()).isNull();
                    assertThat(registries.named("a").orElseThrow().resolver()).isNotNull();
                    assertThat(registries.named("b").orElseThrow().registrar()).isNotNull();
                    assertThat(registries.named("b").orElseThrow().resolver()).isNull();
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "rollcall.registries.r.url=localhost:1 | rollcall.registries.r.url | no registry has the scheme 'localhost'",
                "rollcall.registries.r.url= | rollcall.registries.r.url | needs a URL",
                "rollcall.registries.r.interval=5s | rollcall.registries.r.url | needs a URL",
                "rollcall.registries.r.url=mongodb://h | rollcall.registries.r.url | no registry has the scheme 'mongodb'",
                "rollcall.registries.r.url=memory://h | rollcall.registries.r.url | no host",
                "rollcall.registries.r.url=zookeeper://h:99999 | rollcall.registries.r.url | port",
                "rollcall.registries.r.url=memory:,rollcall.registries.r.interval=-1s | rollcall.registries.r.interval | negative",
                "rollcall.registries.r.url=redis://h,rollcall.registries.r.interval=0 | rollcall.registries.r.interval | forget the instance",
                "rollcall.registries.r.url=memory:,rollcall.registries.r.timeout=0s | rollcall.registries.r.timeout | limit",
                "rollcall.registries.r.url=memory:,rollcall.registries.r.ttl=5s | rollcall.registries.r.ttl | forget",
                "rollcall.registries.r.url=memory:,rollcall.registries.r.address=[2001:db8::1] | rollcall.registries.r.address | neither a host",
                "rollcall.registries.r.url=memory:,rollcall.registries.r.address=10.0.0.1:8080 | rollcall.registries.r.address | neither a host",
                "rollcall.registries.r.url=memory:,rollcall.discovery.order=x | rollcall.discovery.order | 'x' is not a registry",
                "rollcall.registries.r.url=memory:,rollcall.ports.http.registries=x | rollcall.ports.http.registries | 'x' is not a registry",
                "rollcall.registries.r.url=memory:,rollcall.registration.required=x | rollcall.registration.required | 'x' is not a registry",
                "rollcall.instance.weight=10001 | rollcall.instance.weight | 0..10000",
                "rollcall.instance.weight=-1 | rollcall.instance.weight | 0..10000",
                "rollcall.ports.grpc.enabled=true | rollcall.ports.grpc.port | no web server",
                "rollcall.ports.http.port=70000 | rollcall.ports.http.port | 1..65535",
                "rollcall.registration.drain-wait=-1s | rollcall.registration.drain-wait | negative",
                "rollcall.discovery.watch-delay=0s | rollcall.discovery.watch-delay | above zero",
                "rollcall.registries.r.url=zookeeper://h,rollcall.service-name=a/b | rollcall.service-name | can not hold"
            })
    void badInputFailsTheStartAndIsExplained(String properties, String property, String reason) {
        runner.withPropertyValues(properties.split(",")).run(context -> {
            FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'" + property + "'").contains(reason);
            assertThat(analysis.getAction()).isNotBlank().endsWith(".");
        });
    }

    @Test
    void noAnalysisRepeatsASecret() {
        runner.withPropertyValues("rollcall.registries.r.url=mongodb://user:MARKER@h/?token=MARKER")
                .run(context -> assertThat(
                                FailureAnalyses.of(context.getStartupFailure()).getDescription())
                        .contains("mongodb://******@h")
                        .doesNotContain("MARKER"));
        runner.withPropertyValues("rollcall.registries.r.url=redis://user:MARKER@h:port")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .message()
                        .doesNotContain("MARKER"));
    }

    @Test
    void aMissingClientLibraryIsNamed() {
        runner.withClassLoader(new FilteredClassLoader("org.apache.curator"))
                .withPropertyValues("rollcall.registries.zk.url=zookeeper://h")
                .run(context -> {
                    FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("'rollcall.registries.zk.url'", "zookeeper://h");
                    assertThat(analysis.getAction()).contains("org.apache.curator:curator-framework");
                });
    }

    @Test
    void beansWithARoleAreRegistriesOfTheirOwn() {
        runner.withBean("mine", OwnRegistry.class)
                .withPropertyValues("rollcall.registries.a.url=memory:a")
                .run(context -> {
                    Registry mine =
                            context.getBean(Registries.class).named("mine").orElseThrow();
                    assertThat(mine.registrar()).isSameAs(mine.resolver()).isInstanceOf(OwnRegistry.class);
                });
    }

    @Test
    void aBeanAddsAKindOfRegistry() {
        runner.withBean(RegistryFactory.class, OwnFactory::new)
                .withPropertyValues("rollcall.registries.mine.url=own://host")
                .run(context -> assertThat(context.getBean(Registries.class)
                                .named("mine")
                                .orElseThrow()
                                .type())
                        .isEqualTo("own"));
    }

    private static final class OwnFactory implements RegistryFactory {

        @Override
        public Set<String> schemes() {
            return Set.of("own");
        }

        @Override
        public Registry create(io.rollcall.registry.RegistryDefinition definition) {
            OwnRegistry registry = new OwnRegistry();
            return definition.toRegistry("own", registry, registry, Registry.Client.NONE);
        }
    }

    static final class OwnRegistry implements Registrar, Resolver {

        @Override
        public void join(Instance instance) {}

        @Override
        public void leave(Instance instance) {}

        @Override
        public Listing lookup(String service) {
            return Listing.of(List.of(new Instance("x", service, "h", 1, false, Map.of())));
        }

        @Override
        public Set<String> services() {
            return Set.of();
        }

        @Override
        public Watch watch(String service, WatchListener listener) {
            return () -> {};
        }
    }
}
