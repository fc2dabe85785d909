package io.rollcall.autoconfigure;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RegistryProperties;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryUrl;
import io.rollcall.registry.Resolver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.util.ClassUtils;

/** Makes the application's registries of properties, factories and beans, and puts them in order. */
final class RegistryBuilder {

    private static final Log logger = LogFactory.getLog(RegistryBuilder.class);

    private final Collection<RegistryFactory> factories;

    private final ClassLoader classLoader;

    private final Map<String, Registry> registries = new LinkedHashMap<>();

    RegistryBuilder(Collection<RegistryFactory> factories, ClassLoader classLoader) {
        this.factories = factories;
        this.classLoader = classLoader;
    }

    void addConfigured(Map<String, RegistryProperties> configured) {
        configured.forEach((name, properties) -> add(create(name, properties)));
    }

    void add(Registry registry) {
        if (registries.putIfAbsent(registry.name(), registry) != null) {
            throw new InvalidConfigurationException(
                    "rollcall.registries." + registry.name(),
                    null,
                    "a bean adds a registry of the same name",
                    "Rename the one or the other.");
        }
    }

    /** A bean of the application's own that has just a role: the registry has the bean's name. */
    void addBeans(Map<String, Registrar> registrars, Map<String, Resolver> resolvers) {
        TreeSet<String> names = new TreeSet<>(registrars.keySet());
        names.addAll(resolvers.keySet());
        for (String name : names) {
            Registrar registrar = registrars.get(name);
            Resolver resolver = resolvers.get(name);
            add(new Registry(
                    name,
                    "bean",
                    "bean:" + name,
                    Registry.Timing.DEFAULT,
                    null,
                    registrar,
                    resolver,
                    Registry.Client.NONE));
        }
    }

    private Registry create(String name, RegistryProperties properties) {
        RegistryUrl url = RegistryDefinitions.url(name, properties);
        RegistryFactory factory = factories.stream()
                .filter(candidate -> candidate.schemes().contains(url.scheme()))
                .findFirst()
                .orElseThrow(() -> unknownScheme(name, url));
        if (!factory.requiredClasses().stream().allMatch(required -> ClassUtils.isPresent(required, classLoader))) {
            throw RegistryDefinitions.invalidUrl(
                    name,
                    url,
                    "the client library for '" + url.scheme() + "' is not on the class path",
                    "Add " + String.join(" and ", factory.coordinates()) + " to the dependencies.");
        }
        return factory.create(RegistryDefinitions.of(name, url, properties, factory));
    }

    private InvalidConfigurationException unknownScheme(String name, RegistryUrl url) {
        TreeSet<String> known = new TreeSet<>();
        factories.forEach(factory -> known.addAll(factory.schemes()));
        return RegistryDefinitions.invalidUrl(
                name,
                url,
                "no registry has the scheme '" + url.scheme() + "'",
                "Use one of " + String.join(", ", known) + ", or declare a RegistryFactory bean for it.");
    }

    Registries build(List<String> order) {
        if (registries.isEmpty()) {
            RegistryProperties memory = new RegistryProperties();
            memory.setUrl("memory:");
            addConfigured(Map.of("memory", memory));
            logger.info("No registry is configured: using one inside this JVM. Set 'rollcall.registries.<name>.url' to"
                    + " join one that others see");
        }
        List<Registry> ordered = new ArrayList<>();
        for (String name : order) {
            Registry registry = registries.remove(name);
            if (registry == null) {
                throw new InvalidConfigurationException(
                        "rollcall.discovery.order",
                        String.join(",", order),
                        "'" + name + "' is not a registry, or stands there twice",
                        "Use names of configured registries: " + String.join(", ", known(ordered, registries.values()))
                                + ".");
            }
            ordered.add(registry);
        }
        ordered.addAll(registries.values());
        return new Registries(ordered);
    }

    private static List<String> known(Collection<Registry> ordered, Collection<Registry> others) {
        List<String> names = new ArrayList<>();
        ordered.forEach(registry -> names.add(registry.name()));
        others.forEach(registry -> names.add(registry.name()));
        return names;
    }
}
