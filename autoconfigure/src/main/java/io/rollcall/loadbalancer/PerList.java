package io.rollcall.loadbalancer;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Something worked out from a list of instances, kept until the list changes. A list is the same as the last one if it
 * holds the same objects in the same order: an instance that changed, in its weight for example, is a new object.
 *
 * @param <T> what is worked out
 */
final class PerList<T> {

    private final Function<List<ServiceInstance>, T> function;

    private volatile @Nullable Entry<T> last;

    PerList(Function<List<ServiceInstance>, T> function) {
        this.function = function;
    }

    T of(List<ServiceInstance> list) {
        Entry<T> entry = last;
        if (entry == null || !entry.isFor(list)) {
            List<ServiceInstance> snapshot = List.copyOf(list);
            entry = new Entry<>(snapshot, function.apply(snapshot));
            last = entry;
        }
        return entry.value;
    }

    private record Entry<T>(List<ServiceInstance> list, T value) {

        boolean isFor(List<ServiceInstance> other) {
            // The snapshot of an immutable list is that list itself.
            if (other == list) {
                return true;
            }
            if (other.size() != list.size()) {
                return false;
            }
            for (int i = 0; i < list.size(); i++) {
                if (other.get(i) != list.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }
}
