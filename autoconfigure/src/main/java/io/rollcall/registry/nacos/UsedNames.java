package io.rollcall.registry.nacos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is known of the names that the server knows: whether a usable instance has them. Thread-safe. */
final class UsedNames {

    /** In the order in which they were asked last. */
    private final Map<String, Boolean> known = new LinkedHashMap<>();

    /** The names in the order in which to ask them, those never asked first; whatever is not among them is forgotten. */
    synchronized List<String> toAsk(Set<String> names) {
        known.keySet().retainAll(names);
        List<String> order = new ArrayList<>(names);
        order.removeAll(known.keySet());
        order.addAll(known.keySet());
        return order;
    }

    synchronized void answered(String name, boolean used) {
        known.remove(name);
        known.put(name, used);
    }

    synchronized Set<String> used() {
        Set<String> used = new HashSet<>();
        known.forEach((name, isUsed) -> {
            if (isUsed) {
                used.add(name);
            }
        });
        return used;
    }
}
