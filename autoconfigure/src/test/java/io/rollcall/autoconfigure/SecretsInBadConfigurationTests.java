package io.rollcall.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.discovery.DiscoveryAutoConfiguration;
import io.rollcall.registration.RegistrationAutoConfiguration;
import io.rollcall.registry.consul.ConsulRegistryAutoConfiguration;
import io.rollcall.registry.etcd.EtcdRegistryAutoConfiguration;
import io.rollcall.registry.eureka.EurekaRegistryAutoConfiguration;
import io.rollcall.registry.memory.MemoryRegistryAutoConfiguration;
import io.rollcall.registry.nacos.NacosRegistryAutoConfiguration;
import io.rollcall.registry.redis.RedisRegistryAutoConfiguration;
import io.rollcall.registry.zookeeper.ZookeeperRegistryAutoConfiguration;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;

/** What a start says that fails for a registry's configuration. Every part of a password here is a marker: s3cret, p4rt or m0re. */
@ExtendWith(OutputCaptureExtension.class)
class SecretsInBadConfigurationTests {

    private static final String[] KINDS = {"redis", "rediss", "zookeeper", "etcd", "etcds", "consul", "nacos", "eureka"
    };

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    UtilAutoConfiguration.class,
                    MemoryRegistryAutoConfiguration.class,
                    ZookeeperRegistryAutoConfiguration.class,
                    RedisRegistryAutoConfiguration.class,
                    EtcdRegistryAutoConfiguration.class,
                    ConsulRegistryAutoConfiguration.class,
                    NacosRegistryAutoConfiguration.class,
                    EurekaRegistryAutoConfiguration.class,
                    RollcallAutoConfiguration.class,
                    RegistrationAutoConfiguration.class,
                    DiscoveryAutoConfiguration.class))
            .withPropertyValues("spring.application.name=orders");

    private void assertFailsWithoutSecret(CapturedOutput output, String... properties) {
        runner.withPropertyValues(properties).run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).as(String.join(" ", properties)).isNotNull();
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            FailureAnalysis analysis = FailureAnalyses.of(failure);
            assertThat(analysis.getDescription() + analysis.getAction() + trace + output)
                    .contains("rollcall.registries.one.")
                    .doesNotContain("s3cret", "p4rt", "m0re");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KIND://user:s3cret@host:99999",
                "KIND://user:s3cret@",
                "KIND://user:s3cret@ho st:1",
                "KIND://user:s3cret@host:1?unknown=s3cret",
                "KIND://user:s3cret@host:1/a?password=s3cret&unknown=1",
                "KIND:user:s3cret@host:1",
                "KIND:/user:s3cret@host:1",
                "KIND://user:s3cret?p4rt=m0re@host:1",
                "KIND://user:12?p4rt@host:1",
                "KIND://user:s3cret%p4rt@host:1",
                "KIND://us%p4rt:s3cret@host:1",
                "KIND://user:s3cret#p4rt@host:x",
                "KIND://user:s3cret/p4rt@host:x",
                "KIND://user:s3cret@p4rt@host:x",
                "no-KIND://user:s3cret@host:1?key=s3cret",
                "user:s3cret@host",
                "KIND"
            })
    void aBadUrlIsNotQuotedWithItsSecrets(String url, CapturedOutput output) {
        for (String kind : KINDS) {
            assertFailsWithoutSecret(output, "rollcall.registries.one.url=" + url.replace("KIND", kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval=0", "ttl=1s", "timeout=0", "ssl.bundle=none", "prefix=a{b}/\u0001@@c d"})
    void otherBadPropertiesDoNotQuoteTheSecretsBesideThem(String property, CapturedOutput output) {
        for (String kind : new String[] {"redis", "etcd", "nacos", "zookeeper"}) {
            runner.withPropertyValues(
                            "rollcall.registries.one.url=" + kind + "://user:s3cret@127.0.0.1:1",
                            "rollcall.registries.one.password=s3cret-p4rt",
                            "rollcall.registries.one." + property)
                    .run(context -> {
                        StringWriter trace = new StringWriter();
                        if (context.getStartupFailure() != null) {
                            context.getStartupFailure().printStackTrace(new PrintWriter(trace));
                        }
                        assertThat(trace.toString() + output).doesNotContain("s3cret", "p4rt");
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "zookeeper", "etcd", "nacos", "eureka"})
    void aTokenWhereNoneIsKnownIsNotQuoted(String kind, CapturedOutput output) {
        assertFailsWithoutSecret(
                output, "rollcall.registries.one.url=" + kind + "://host:1", "rollcall.registries.one.token=s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"username=user-p4rt", "password=s3cret"})
    void halfOfTheCredentialsIsNotQuoted(String property, CapturedOutput output) {
        for (String kind : new String[] {"zookeeper", "etcd", "nacos", "consul"}) {
            assertFailsWithoutSecret(
                    output, "rollcall.registries.one.url=" + kind + "://host:1", "rollcall.registries.one." + property);
        }
    }
}
