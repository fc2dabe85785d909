package io.rollcall.discovery;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.registry.Instance;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.cloud.client.ServiceInstance;

/**
 * One service as all registries together see it. Immutable; sorted by address, so that another order of answers makes no other list.
 *
 * @param instances all instances
 * @param routable those that take traffic: weight above 0
 * @param contentHash changes with what a caller can see of the instances, and with nothing else
 */
record MergedService(List<RollcallServiceInstance> instances, List<ServiceInstance> routable, long contentHash) {

    static final MergedService EMPTY = new MergedService(List.of(), List.of(), 0);

    /** Copies what it is given. */
    MergedService {
        instances = List.copyOf(instances);
        routable = List.copyOf(routable);
    }

    /**
     * Merges the views of several registries.
     *
     * @param views the most important first
     */
    static MergedService of(Collection<RegistryView> views, Policy policy) {
        Map<String, Merging> byAddress = new TreeMap<>();
        for (RegistryView view : views) {
            for (Instance instance : view.instances()) {
                byAddress
                        .computeIfAbsent(address(instance), address -> new Merging(instance))
                        .add(view.registry(), instance);
            }
            if (policy == Policy.FIRST && !byAddress.isEmpty()) {
                break;
            }
        }
        List<RollcallServiceInstance> instances =
                byAddress.values().stream().map(Merging::merged).toList();
        List<ServiceInstance> routable = new ArrayList<>(instances.size());
        long hash = 0;
        for (RollcallServiceInstance instance : instances) {
            if (instance.instance().weight() > 0) {
                routable.add(instance);
            }
            hash = hash * 0x9E3779B97F4A7C15L + hash(instance.instance());
        }
        return new MergedService(instances, routable, hash);
    }

    /** The instance's address as it is told from others: names have no case, and IPv6 literals can be written in many ways. */
    private static String address(Instance instance) {
        if (instance.host().indexOf(':') < 0) {
            return instance.address().toLowerCase(Locale.ROOT);
        }
        try {
            return InetAddress.getByName(instance.host()).getHostAddress() + ":" + instance.port();
        } catch (UnknownHostException ex) {
            throw new IllegalStateException("an instance whose host is no literal: " + instance, ex);
        }
    }

    /** Whether, the content being the same, the same registries list the same instances. */
    boolean isListedAs(MergedService other) {
        return instances.stream()
                .map(RollcallServiceInstance::getRegistries)
                .toList()
                .equals(other.instances.stream()
                        .map(RollcallServiceInstance::getRegistries)
                        .toList());
    }

    /** 64 bits, since two contents of the same 32 are to be met in a lifetime. */
    private static long hash(Instance instance) {
        String text = instance.toString();
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return hash;
    }

    /** One address in the making: the first registry that knows a thing about it is believed, the others add what it lacks. */
    private static final class Merging {

        private final Instance first;

        private final Map<String, String> metadata = new HashMap<>();

        private final List<String> registries = new ArrayList<>();

        Merging(Instance first) {
            this.first = first;
        }

        void add(String registry, Instance instance) {
            if (!registries.contains(registry)) {
                registries.add(registry);
            }
            instance.metadata().forEach(metadata::putIfAbsent);
        }

        RollcallServiceInstance merged() {
            return new RollcallServiceInstance(first.withMetadata(metadata), registries);
        }
    }
}
