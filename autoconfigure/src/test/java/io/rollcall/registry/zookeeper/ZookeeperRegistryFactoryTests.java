package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryFactoryContract;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ZookeeperRegistryFactoryTests extends RegistryFactoryContract {

    ZookeeperRegistryFactoryTests() {
        super(ZookeeperRegistryAutoConfiguration.class);
    }

    @Override
    protected Set<String> schemes() {
        return Set.of("zookeeper");
    }

    @Override
    protected List<String> coordinates() {
        return List.of("org.apache.curator:curator-framework");
    }

    @Override
    protected FilteredClassLoader withoutClientLibrary() {
        return new FilteredClassLoader("org.apache.curator", "org.apache.zookeeper");
    }

    @Override
    protected String unreachable() {
        return "zookeeper://user:secret@127.0.0.1:1,127.0.0.1:2/root";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zookeeper://h?a=b     |           |      |        |     |        | url        | no parameters",
                "zookeeper:team        |           |      |        |     |        | url        | no host",
                "zookeeper://h/a//b    |           |      |        |     |        | url        | empty",
                "zookeeper://h/a/../b  |           |      |        |     |        | url        | '..'",
                "zookeeper://h         | /a/./b    |      |        |     |        | prefix     | '.'",
                "zookeeper://h         |           | user |        |     |        | password   | both",
                "zookeeper://h         |           |      | secret |     |        | username   | both",
                "zookeeper://h         |           | u:r  | secret |     |        | username   | colon",
                "zookeeper://h         |           |      |        | tok |        | token      | no tokens",
                "zookeeper:            |           | user | secret |     |        | username   | own credentials",
                "zookeeper://h         |           |      |        |     | bundle | ssl.bundle | files"
            })
    void whatCanNotBeIsToldAtStart(
            String url,
            String prefix,
            String username,
            String password,
            String token,
            String bundle,
            String property,
            String reason) {
        assertInvalid(
                definition(url, Timing.DEFAULT, prefix, new Credentials(username, password, token), bundle),
                property,
                reason);
    }

    @Test
    void theApplicationsOwnConnectionMustBeThere() {
        assertInvalid(definition("zookeeper:"), "url", "no CuratorFramework bean");
    }

    @Test
    void ofSeveralConnectionsOneMustBePrimary() {
        runner().withUserConfiguration(TwoConnections.class)
                .run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                        .isThrownBy(() -> context.getBean(RegistryFactory.class).create(definition("zookeeper:")))
                        .satisfies(ex -> assertThat(ex.getReason()).contains("several")));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoConnections {

        @Bean
        CuratorFramework one() {
            return CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
        }

        @Bean
        CuratorFramework two() {
            return CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
        }
    }
}
