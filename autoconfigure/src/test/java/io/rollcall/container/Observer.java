package io.rollcall.container;

import io.rollcall.TestApplication;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Reads registries as they are, with no cache between. */
final class Observer implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    /**
     * @param properties those that name the registries, each as {@code key=value}
     */
    Observer(List<String> properties) {
        context = TestApplication.named("observer")
                .type(WebApplicationType.NONE)
                .with("rollcall.registration.enabled=false", "rollcall.discovery.watch-delay=1h")
                .with(properties.toArray(String[]::new))
                .start();
    }

    Registries registries() {
        return context.getBean(Registries.class);
    }

    /** What one registry lists now. */
    List<Instance> listed(String registry, String service) {
        return listed(registries().named(registry).orElseThrow(), service);
    }

    static List<Instance> listed(Registry registry, String service) {
        try {
            return registry.resolver().lookup(service).instances();
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** What every registry lists now. */
    Map<String, List<Instance>> listed(String service) {
        Map<String, List<Instance>> listed = new LinkedHashMap<>();
        registries().forEach(registry -> listed.put(registry.name(), listed(registry, service)));
        return listed;
    }

    /** Whether each registry lists exactly one, with that metadata; a null value stands for no such key. */
    boolean listsOneEverywhere(String service, String key, String value) {
        return listed(service).values().stream()
                .allMatch(instances -> instances.size() == 1
                        && (value == null
                                ? !instances.get(0).metadata().containsKey(key)
                                : value.equals(instances.get(0).metadata().get(key))));
    }

    boolean listsNoneAnywhere(String service) {
        return listed(service).values().stream().allMatch(List::isEmpty);
    }

    @Override
    public void close() {
        context.close();
    }
}
