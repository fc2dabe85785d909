package io.rollcall.sample.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.sample.SampleApplication;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The recipe "A registry of your own" of docs/recipes.md. */
class OwnRegistryTests {

    @TempDir
    private Path folder;

    @Test
    void beanIsRegistry() {
        try (ConfigurableApplicationContext provider = run(BeanConfiguration.class, "--folder=" + folder)) {
            assertFound(provider);
        }
        assertThat(folder.resolve("greeter")).isEmptyDirectory();
    }

    @Test
    void factoryAddsKindOfUrl() {
        Path relative = Path.of("").toAbsolutePath().relativize(folder);
        try (ConfigurableApplicationContext provider =
                run(FactoryConfiguration.class, "--rollcall.registries.shared.url=folder:" + relative)) {
            assertFound(provider);
        }
        assertThat(folder.resolve("greeter")).isEmptyDirectory();
    }

    private void assertFound(ConfigurableApplicationContext provider) {
        String id = "greeter-127.0.0.1-" + provider.getEnvironment().getProperty("local.server.port");
        DiscoveryClient discovery = provider.getBean(DiscoveryClient.class);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(folder.resolve("greeter").resolve(id)).exists();
            assertThat(discovery.getInstances("greeter")).anyMatch(found -> id.equals(found.getInstanceId()));
        });
    }

    private static ConfigurableApplicationContext run(Class<?> configuration, String argument) {
        return new SpringApplication(SampleApplication.class, configuration)
                .run("--spring.profiles.active=provider", "--rollcall.registration.drain-wait=0", argument);
    }

    static class BeanConfiguration {

        @Bean
        FolderRegistry folderRegistry(@Value("${folder}") Path folder) {
            return new FolderRegistry(folder);
        }
    }

    static class FactoryConfiguration {

        @Bean
        FolderRegistryFactory folderRegistryFactory() {
            return new FolderRegistryFactory();
        }
    }
}
