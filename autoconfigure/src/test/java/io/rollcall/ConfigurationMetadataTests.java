package io.rollcall;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.json.JsonParserFactory;

/** The properties that users see, in their editors too. */
class ConfigurationMetadataTests {

    private final Map<String, Map<String, Object>> properties = read();

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> read() {
        try {
            // There may be several of that name on the class path; ours lies beside our classes.
            String path = RollcallProperties.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath();
            String json = new org.springframework.core.io.FileSystemResource(
                            path + "META-INF/spring-configuration-metadata.json")
                    .getContentAsString(StandardCharsets.UTF_8);
            Map<String, Map<String, Object>> byName = new HashMap<>();
            for (Object property : (List<Object>)
                    JsonParserFactory.getJsonParser().parseMap(json).get("properties")) {
                Map<String, Object> described = (Map<String, Object>) property;
                byName.put((String) described.get("name"), described);
            }
            return byName;
        } catch (java.io.IOException ex) {
            throw new java.io.UncheckedIOException(ex);
        }
    }

    @Test
    void describesEveryPropertyOfTheContract() {
        assertThat(properties)
                .containsKeys(
                        "rollcall.enabled",
                        "rollcall.service-name",
                        "rollcall.registries",
                        "rollcall.registration.enabled",
                        "rollcall.registration.when",
                        "rollcall.registration.drain-wait",
                        "rollcall.registration.required",
                        "rollcall.registration.fail-fast",
                        "rollcall.instance.id",
                        "rollcall.instance.env",
                        "rollcall.instance.region",
                        "rollcall.instance.zone",
                        "rollcall.instance.weight",
                        "rollcall.instance.deployment",
                        "rollcall.instance.scheme",
                        "rollcall.instance.app-version",
                        "rollcall.instance.metadata",
                        "rollcall.ports",
                        "rollcall.discovery.policy",
                        "rollcall.discovery.order",
                        "rollcall.discovery.watch-delay",
                        "rollcall.discovery.snapshot.directory",
                        "rollcall.load-balancer.outlier-detection.enabled",
                        "rollcall.load-balancer.outlier-detection.consecutive-failures",
                        "rollcall.load-balancer.outlier-detection.base-interval",
                        "rollcall.load-balancer.outlier-detection.max-interval");
    }

    /** The metadata ends at the names of registries, which are free. */
    @Test
    void everyRegistryHasThePropertiesOfTheContract() {
        assertThat(propertiesOf(RegistryProperties.class))
                .contains(
                        "url",
                        "register",
                        "resolve",
                        "address",
                        "interval",
                        "ttl",
                        "timeout",
                        "prefix",
                        "username",
                        "password",
                        "token",
                        "ssl",
                        "health-check");
        assertThat(propertiesOf(HealthCheckProperties.class))
                .contains("mode", "path", "interval", "timeout", "deregister-after");
    }

    private static List<String> propertiesOf(Class<?> type) {
        return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
                .map(property -> DataObjectPropertyName.toDashedForm(property.getName()))
                .toList();
    }

    @Test
    void everyPropertyIsDescribed() {
        properties.forEach((name, property) -> assertThat((String) property.get("description"))
                .as(name)
                .isNotBlank()
                .endsWith("."));
    }

    @Test
    void theDefaultsAreThoseOfTheContract() {
        assertThat(properties.get("rollcall.enabled")).containsEntry("defaultValue", true);
        assertThat(properties.get("rollcall.registration.when")).containsEntry("defaultValue", "ready");
        assertThat(properties.get("rollcall.registration.drain-wait")).containsEntry("defaultValue", "2s");
        assertThat(properties.get("rollcall.registration.fail-fast")).containsEntry("defaultValue", false);
        assertThat(properties.get("rollcall.instance.weight")).containsEntry("defaultValue", 100);
        assertThat(properties.get("rollcall.discovery.policy")).containsEntry("defaultValue", "merge");
        assertThat(properties.get("rollcall.discovery.watch-delay")).containsEntry("defaultValue", "30s");
        RegistryProperties registry = new RegistryProperties();
        assertThat(registry.getInterval()).isNull();
        assertThat(registry.getHealthCheck().getMode()).isNull();
        assertThat(registry.getHealthCheck().getPath()).isNull();
        assertThat(registry.getHealthCheck().getInterval()).hasSeconds(5);
        assertThat(registry.getHealthCheck().getTimeout()).hasSeconds(3);
        assertThat(registry.getHealthCheck().getDeregisterAfter()).hasMinutes(1);
        assertThat(registry.getTimeout()).hasSeconds(3);
        assertThat(registry.getTtl()).isNull();
    }
}
