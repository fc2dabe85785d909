package io.rollcall.loadbalancer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Which instances of a list are in use while others are set aside: the unreachable ones are not, unless that is all of them; those
 * that answer with errors are not as long as at most half of the list is set aside, the first ones first. Immutable.
 *
 * @param list the list
 * @param epoch the number of the change in what is set aside that this takes in
 * @param inUse those in use, in the list's order; the list itself if all are
 * @param aside those not in use
 */
record Selection(List<ServiceInstance> list, int epoch, List<ServiceInstance> inUse, List<Aside> aside) {

    /** An instance that is not in use. */
    record Aside(ServiceInstance instance, Outlier outlier) {}

    static Selection of(List<ServiceInstance> list, int epoch, Map<Address, Outlier> outliers) {
        List<Aside> aside = new ArrayList<>();
        List<Aside> erring = new ArrayList<>();
        for (ServiceInstance instance : list) {
            Outlier outlier = outliers.get(Address.of(instance));
            if (outlier != null && outlier.isSetAside()) {
                (outlier.isUnreachable() ? aside : erring).add(new Aside(instance, outlier));
            }
        }
        erring.sort(Comparator.comparingInt(each -> each.outlier().epoch()));
        for (Aside each : erring) {
            if (aside.size() + 1 <= list.size() / 2) {
                aside.add(each);
            }
        }
        if (aside.isEmpty() || aside.size() == list.size()) {
            return new Selection(list, epoch, list, List.copyOf(aside));
        }
        return new Selection(list, epoch, without(list, aside), List.copyOf(aside));
    }

    private static List<ServiceInstance> without(List<ServiceInstance> list, List<Aside> aside) {
        Set<ServiceInstance> out = Collections.newSetFromMap(new IdentityHashMap<>());
        aside.forEach(each -> out.add(each.instance()));
        return list.stream().filter(instance -> !out.contains(instance)).toList();
    }

    boolean isFor(List<ServiceInstance> otherList, int otherEpoch) {
        return epoch == otherEpoch && list == otherList;
    }

    /** Whether no instance is left. */
    boolean isNoneLeft() {
        return !aside.isEmpty() && aside.size() == list.size();
    }

    /** Those in use and one more. */
    List<ServiceInstance> inUseAnd(ServiceInstance instance) {
        return without(
                list, aside.stream().filter(each -> each.instance() != instance).toList());
    }
}
