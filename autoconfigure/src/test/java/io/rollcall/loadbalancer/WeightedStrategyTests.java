package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;

class WeightedStrategyTests {

    private final WeightedStrategy strategy = new WeightedStrategy();

    @Test
    void sharesOneToSix() {
        Map<Integer, Integer> counts = count(List.of(Instances.weighted(1, 100), Instances.weighted(2, 600)), 7000);
        assertThat(counts.get(1)).isCloseTo(1000, within(5));
        assertThat(counts.get(2)).isCloseTo(6000, within(5));
    }

    @Test
    void spreadsEachInstanceEvenlyOverTime() {
        List<ServiceInstance> instances = List.of(Instances.weighted(1, 1), Instances.weighted(2, 9));
        for (int window = 0; window < 100; window++) {
            assertThat(count(instances, 30).get(1)).as("in 30 calls").isBetween(1, 5);
        }
    }

    @Test
    void sharesAmongAThousand() {
        List<ServiceInstance> instances = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < 1000; i++) {
            int weight = 1 + (i * 37) % 10_000;
            total += weight;
            instances.add(Instances.weighted(i, weight));
        }
        int calls = 200_000;
        Map<Integer, Integer> counts = count(List.copyOf(instances), calls);
        for (ServiceInstance instance : instances) {
            double fair = (double) calls * Weight.of(instance) / total;
            assertThat(counts.getOrDefault(instance.getPort(), 0)).isCloseTo((int) fair, within(10));
        }
    }

    @Test
    void followsAChangedWeight() {
        ServiceInstance other = Instances.weighted(2, 100);
        count(List.of(Instances.weighted(1, 100), other), 10);
        assertThat(count(List.of(Instances.weighted(1, 900), other), 1000).get(1))
                .isCloseTo(900, within(5));
    }

    @Test
    void takesTheLargestWeightsThereAre() {
        List<ServiceInstance> instances = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            instances.add(Instances.weighted(i, 10_000));
        }
        assertThat(count(List.copyOf(instances), 10_000)).hasSize(1000);
    }

    private Map<Integer, Integer> count(List<ServiceInstance> instances, int calls) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            counts.merge(strategy.choose(instances, Instances.request("/")).getPort(), 1, Integer::sum);
        }
        return counts;
    }
}
