package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPattern;

/** Builds the gates that the properties ask for, and checks the properties while at it. */
final class AdmissionFactory {

    static final String COMMON = "default";
    static final String LONG_LIVED = "long-lived";

    private static final String BULKHEAD = "rollcall";
    private static final String PREFIX = "rollcall.concurrency.";

    private final LimiterFactory limiters;
    private final LongSupplier nanoClock;

    AdmissionFactory(LimiterFactory limiters, LongSupplier nanoClock) {
        this.limiters = limiters;
        this.nanoClock = nanoClock;
    }

    /**
     * @param builtInExemptions asked when the first request comes
     */
    Admission create(ConcurrencyProperties properties, Stream<ExemptPaths> builtInExemptions) {
        ConcurrencyProperties.Concurrency details = properties.getConcurrency();
        List<PathPattern> own = PathPatterns.parse(PREFIX + "exempt-paths", details.getExemptPaths());
        List<ExemptPaths> builtIn = builtInExemptions.toList();
        List<Gate> groups = new ArrayList<>();
        List<Admission.Route> routes = new ArrayList<>();
        details.getGroups().forEach((name, group) -> {
            Gate gate = group(name, group);
            groups.add(gate);
            PathPatterns.parse(groupProperty(name, "paths"), group.getPaths())
                    .forEach(pattern -> routes.add(new Admission.Route(pattern, gate)));
        });
        return new Admission(
                SingletonSupplier.of(() -> rules(own, builtIn)),
                common(properties.getMaxConcurrency()),
                longLived(details.getLongLived()),
                groups,
                routes);
    }

    /** The limits of all requests and of the groups, as they are set, by the name of their gate. */
    static Map<String, MaxConcurrency> limits(ConcurrencyProperties properties) {
        Map<String, MaxConcurrency> limits = new LinkedHashMap<>();
        if (properties.getMaxConcurrency() != null) {
            limits.put(COMMON, commonLimit(properties.getMaxConcurrency()));
        }
        properties.getConcurrency().getGroups().forEach((name, group) -> {
            if (group.getMaxConcurrency() != null) {
                limits.put(name, groupLimit(name, group.getMaxConcurrency()));
            }
        });
        return limits;
    }

    private static MaxConcurrency commonLimit(String max) {
        return MaxConcurrency.parse(OnConcurrencyLimitCondition.MAX_CONCURRENCY, max);
    }

    private static MaxConcurrency groupLimit(String name, String max) {
        return MaxConcurrency.parse(groupProperty(name, "max-concurrency"), max);
    }

    /** The name of the bulkhead behind the gate of that name. */
    static String bulkhead(String gate) {
        return gate.equals(COMMON) ? BULKHEAD : BULKHEAD + "-" + gate;
    }

    private @Nullable Gate common(@Nullable String max) {
        return max != null ? gate(COMMON, commonLimit(max)) : null;
    }

    private Gate group(String name, ConcurrencyProperties.Group group) {
        if (Set.of(COMMON, LONG_LIVED).contains(name)) {
            throw invalidGroup(name, "the name '" + name + "' is taken by Rollcall", "Choose another name.");
        }
        if (group.getPaths().isEmpty()) {
            throw invalidGroup(name, "it has no paths", "Set '" + groupProperty(name, "paths") + "'.");
        }
        String max = group.getMaxConcurrency();
        if (max == null) {
            String property = groupProperty(name, "max-concurrency");
            throw invalidGroup(name, "it has no limit", "Set '" + property + "' to a whole number or 'auto'.");
        }
        return gate(name, groupLimit(name, max));
    }

    private Gate longLived(int limit) {
        if (limit < 1) {
            throw new InvalidConfigurationException(
                    PREFIX + LONG_LIVED, Integer.toString(limit), "it is below 1", "Set a whole number from 1.");
        }
        return new Gate(LONG_LIVED, limiters.fixed(bulkhead(LONG_LIVED), limit), nanoClock);
    }

    private Gate gate(String name, MaxConcurrency max) {
        return new Gate(name, limiters.create(bulkhead(name), max), nanoClock);
    }

    private static PathRules rules(List<PathPattern> own, List<ExemptPaths> builtIn) {
        List<PathPattern> patterns = new ArrayList<>(own);
        builtIn.forEach(paths -> patterns.addAll(PathPatterns.parse("the actuator's paths", paths.patterns())));
        return new PathRules(patterns);
    }

    private static String groupProperty(String name, String property) {
        return OnConcurrencyLimitCondition.GROUPS + "." + name + "." + property;
    }

    private static InvalidConfigurationException invalidGroup(String name, String reason, String remedy) {
        return new InvalidConfigurationException(OnConcurrencyLimitCondition.GROUPS + "." + name, name, reason, remedy);
    }
}
