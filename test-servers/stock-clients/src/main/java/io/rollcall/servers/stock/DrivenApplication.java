package io.rollcall.servers.stock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonWriter;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A web application that registers itself as it always would, and is told by lines what to do; it answers by lines of JSON. Only types
 * of Spring Cloud Commons are used, so that it does the same with whatever registry client is on the class path. Commands: {@code look
 * SERVICE}, {@code follow SERVICE MICROSECONDS}, {@code deregister}, {@code register}, {@code end}. Times are {@link System#nanoTime}, which on Linux all
 * processes of a machine share.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DrivenApplication {

    private static final JsonWriter<Object> JSON = JsonWriter.standard();

    /**
     * Starts it.
     *
     * @param arguments properties
     * @throws IOException if who gives the commands has gone
     */
    public static void main(String[] arguments) throws IOException {
        try (ConfigurableApplicationContext context = SpringApplication.run(DrivenApplication.class, arguments)) {
            say(Map.of("ready", true));
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null && !line.equals("end"); line = commands.readLine()) {
                obey(context, line.split(" "));
            }
        }
        System.exit(0);
    }

    private static void obey(ConfigurableApplicationContext context, String[] command) {
        switch (command[0]) {
            case "look" -> look(context.getBean(DiscoveryClient.class), command[1]);
            case "follow" -> Follower.start(context, command[1], Long.parseLong(command[2]) * 1000);
            case "register" -> time("registered", context, true);
            case "deregister" -> time("deregistered", context, false);
            default -> throw new IllegalArgumentException(command[0]);
        }
    }

    private static void look(DiscoveryClient client, String service) {
        List<Map<String, Object>> instances = client.getInstances(service).stream()
                .map(DrivenApplication::describe)
                .toList();
        say(Map.of(
                "looked",
                service,
                "instances",
                instances,
                "listed",
                client.getServices().contains(service)));
    }

    private static Map<String, Object> describe(ServiceInstance instance) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("id", Objects.requireNonNullElse(instance.getInstanceId(), ""));
        description.put("uri", instance.getUri().toString());
        description.put("secure", instance.isSecure());
        description.put("metadata", instance.getMetadata());
        return description;
    }

    @SuppressWarnings("unchecked")
    private static void time(String what, ConfigurableApplicationContext context, boolean register) {
        ServiceRegistry<Registration> registry = context.getBean(ServiceRegistry.class);
        Registration registration = context.getBean(Registration.class);
        long nanos = System.nanoTime();
        if (register) {
            registry.register(registration);
        } else {
            registry.deregister(registration);
        }
        say(Map.of(what, nanos));
    }

    static synchronized void say(Object what) {
        System.out.println(JSON.writeToString(what));
    }
}
