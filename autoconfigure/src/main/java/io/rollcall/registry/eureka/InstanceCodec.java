package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Registry.Timing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads Eureka's JSON: the InstanceInfo of eureka-client 2.0 as Spring Cloud Netflix fills it in. Classes that it names are
 * never loaded.
 */
final class InstanceCodec {

    static final String NO_OVERRIDE = "UNKNOWN";

    private static final String CLASS = "@class";

    private static final int MAX_BYTES = Integer.MAX_VALUE;

    private final Json json;

    InstanceCodec(Json json) {
        this.json = json;
    }

    /**
     * The record to register.
     *
     * @param lastDirty milliseconds since the epoch; of two registrations with the same id, the server keeps the later one
     * @param override the status that an operator has set, or {@link #NO_OVERRIDE}
     */
    byte[] write(Instance instance, Timing timing, long lastDirty, String override) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("instanceId", instance.id());
        record.put("app", EurekaServer.application(instance.service()));
        // In brackets, since readers make URIs of it by putting a colon and the port behind it.
        record.put("hostName", instance.uriHost());
        record.put("ipAddr", instance.host());
        record.put("sid", "na");
        record.put("status", "UP");
        record.put("overriddenStatus", override);
        record.put("port", port(instance.port(), !instance.secure()));
        record.put("securePort", port(instance.secure() ? instance.port() : 443, instance.secure()));
        record.put("homePageUrl", instance.uri() + "/");
        record.put("statusPageUrl", instance.uri() + "/actuator/info");
        record.put(instance.secure() ? "secureHealthCheckUrl" : "healthCheckUrl", instance.uri() + "/actuator/health");
        record.put("vipAddress", instance.service());
        record.put("secureVipAddress", instance.service());
        record.put("countryId", 1);
        record.put(
                "dataCenterInfo",
                Map.of(CLASS, "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"));
        record.put(
                "leaseInfo",
                Map.of(
                        "renewalIntervalInSecs", seconds(timing.interval()),
                        "durationInSecs", seconds(timing.ttl())));
        record.put("isCoordinatingDiscoveryServer", false);
        record.put("lastUpdatedTimestamp", Long.toString(lastDirty));
        record.put("lastDirtyTimestamp", Long.toString(lastDirty));
        record.put("metadata", instance.metadata());
        return json.write(Map.of("instance", record)).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> port(int number, boolean enabled) {
        return Map.of("$", number, "@enabled", Boolean.toString(enabled));
    }

    /** Whole seconds, rounded up. */
    static int seconds(Duration duration) {
        return (int) Math.max(1, duration.plusSeconds(1).minusNanos(1).toSeconds());
    }

    /** The one instance of an answer. */
    Map<String, Object> instance(byte[] data) {
        return object(json.readObject(data, MAX_BYTES).get("instance"));
    }

    /** The instances of an answer that is one application. */
    List<Map<String, Object>> application(byte[] data) {
        return objects(
                object(json.readObject(data, MAX_BYTES).get("application")).get("instance"));
    }

    /** The applications of an answer. */
    List<Application> applications(byte[] data) {
        Map<String, Object> root = object(json.readObject(data, MAX_BYTES).get("applications"));
        List<Application> applications = new ArrayList<>();
        for (Map<String, Object> application : objects(root.get("application"))) {
            String name = Json.text(application, "name");
            if (name != null) {
                applications.add(new Application(name, objects(application.get("instance"))));
            }
        }
        return applications;
    }

    static boolean isUp(Map<String, Object> instance) {
        return "UP".equals(Json.text(instance, "status"));
    }

    /**
     * Reads an instance.
     *
     * @param service the service that it was found under
     * @throws IllegalArgumentException if it can not be understood
     */
    static Instance read(String service, Map<String, Object> instance) {
        Integer port = callPort(instance);
        if (port == null) {
            throw new IllegalArgumentException("no port");
        }
        String host = host(instance);
        String id = Json.text(instance, "instanceId");
        return new Instance(
                id == null || id.isBlank() ? host : id,
                service,
                host,
                port,
                isEnabled(instance, "securePort"),
                texts(object(instance.get("metadata"))));
    }

    private static String host(Map<String, Object> instance) {
        String host = Json.text(instance, "hostName");
        if (host == null || host.isBlank()) {
            host = Json.text(instance, "ipAddr");
        }
        if (host == null) {
            throw new IllegalArgumentException("no host");
        }
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** The secure port if that is enabled, else the other one. */
    static @Nullable Integer callPort(Map<String, Object> instance) {
        String which = isEnabled(instance, "securePort") ? "securePort" : "port";
        Object port = instance.get(which);
        return port instanceof Map ? Json.integer(object(port), "$") : Json.integer(instance, which);
    }

    private static boolean isEnabled(Map<String, Object> instance, String port) {
        return "true".equalsIgnoreCase(Json.text(object(instance.get(port)), "@enabled"));
    }

    /** What JSON made of XML has as an array, or as the one element that would be in it. */
    private static List<Map<String, Object>> objects(@Nullable Object value) {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Object element : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
            objects.add(object(element));
        }
        return objects;
    }

    private static Map<String, Object> object(@Nullable Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> {
                if (member != null) {
                    object.put(String.valueOf(key), member);
                }
            });
        }
        return object;
    }

    private static Map<String, String> texts(Map<String, Object> object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.keySet().forEach(key -> {
            String text = Json.text(object, key);
            if (text != null && !key.equals(CLASS)) {
                texts.put(key, text);
            }
        });
        return texts;
    }
}
