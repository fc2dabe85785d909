package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.http.HttpHeaders;

class KeyedStrategiesTests {

    private static final int KEYS = 10_000;

    private final LoadBalancerProperties properties = new LoadBalancerProperties();

    private final OutlierDetection outliers = Instances.outlierDetection(new OutlierProperties(), () -> 0);

    private final SelectionStrategies strategies = new SelectionStrategies(properties, new InFlight(), outliers);

    @Test
    void consistentHashMovesOnlyTheKeysOfAnInstanceThatGoes() {
        SelectionStrategy strategy = consistentHash("X-Tenant");
        List<ServiceInstance> before = new ArrayList<>(Instances.list(10));
        Map<Integer, Integer> placed = place(strategy, before);
        int gone = before.remove(3).getPort();
        Map<Integer, Integer> placedAfter = place(strategy, before);
        for (int key = 0; key < KEYS; key++) {
            if (placed.get(key) != gone) {
                assertThat(placedAfter.get(key)).isEqualTo(placed.get(key));
            }
        }
    }

    @Test
    void consistentHashGivesAnInstanceThatComesItsShareAndMovesNothingElse() {
        SelectionStrategy strategy = consistentHash("X-Tenant");
        Map<Integer, Integer> placed = place(strategy, Instances.list(9));
        Map<Integer, Integer> placedAfter = place(strategy, Instances.list(10));
        int moved = 0;
        for (int key = 0; key < KEYS; key++) {
            if (!placedAfter.get(key).equals(placed.get(key))) {
                assertThat(placedAfter.get(key)).isEqualTo(8009);
                moved++;
            }
        }
        assertThat(moved).isBetween(KEYS / 10 * 8 / 10, KEYS / 10 * 12 / 10);
    }

    @Test
    void consistentHashSpreadsKeysEvenlyAndIgnoresTheOrderOfTheList() {
        List<ServiceInstance> instances = new ArrayList<>(Instances.list(10));
        Map<Integer, Integer> placed = place(consistentHash("X-Tenant"), instances);
        Collections.shuffle(instances, new Random(1));
        assertThat(place(consistentHash("X-Tenant"), instances)).isEqualTo(placed);
        for (ServiceInstance instance : instances) {
            assertThat(Collections.frequency(placed.values(), instance.getPort()))
                    .isBetween(KEYS / 10 * 8 / 10, KEYS / 10 * 12 / 10);
        }
    }

    @Test
    void consistentHashFallsBackToThePathThenToRoundRobin() {
        SelectionStrategy strategy = consistentHash("X-Tenant");
        List<ServiceInstance> instances = Instances.list(10);
        assertThat(strategy.choose(instances, Instances.request("/a")))
                .isSameAs(strategy.choose(instances, Instances.request("/a")));
        Map<Integer, Integer> withoutAnything = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            withoutAnything.merge(strategy.choose(instances, new Request<>() {}).getPort(), 1, Integer::sum);
        }
        assertThat(withoutAnything).hasSize(10);
    }

    @Test
    void stickyKeepsTheInstanceWhileItIsListed() {
        properties.getSticky().setHeader("X-User");
        SelectionStrategy strategy = sticky();
        List<ServiceInstance> one = Instances.list(1);
        for (int user = 0; user < 100; user++) {
            strategy.choose(one, Instances.request("X-User", "u" + user));
        }
        List<ServiceInstance> many = new ArrayList<>(Instances.list(20));
        Collections.reverse(many);
        for (int user = 0; user < 100; user++) {
            assertThat(strategy.choose(many, Instances.request("X-User", "u" + user))
                            .getPort())
                    .isEqualTo(8000);
        }
        many.remove(one.get(0));
        many.removeIf(instance -> instance.getPort() == 8000);
        ServiceInstance next = strategy.choose(many, Instances.request("X-User", "u1"));
        assertThat(next.getPort()).isNotEqualTo(8000);
        assertThat(strategy.choose(Instances.list(20), Instances.request("X-User", "u1"))
                        .getPort())
                .isEqualTo(next.getPort());
    }

    @Test
    void stickyCallersComeBackToAnInstanceThatWasSetAside() {
        properties.getSticky().setHeader("X-User");
        SelectionStrategy strategy = sticky();
        List<ServiceInstance> all = Instances.list(3);
        Request<?> request = Instances.request("X-User", "u1");
        ServiceInstance tied = strategy.choose(all, request);
        List<ServiceInstance> others = all.stream().filter(each -> each != tied).toList();
        outliers.ended(tied, null, Verdict.UNREACHABLE);
        ServiceInstance meanwhile = strategy.choose(others, request);
        assertThat(meanwhile).isNotEqualTo(tied).isEqualTo(strategy.choose(others, request));
        assertThat(strategy.choose(all, request)).isEqualTo(tied);
        // Once it is gone for good, callers stay where they went.
        outliers.of("svc").select(others, true);
        ServiceInstance then = strategy.choose(others, request);
        assertThat(strategy.choose(all, request)).isEqualTo(then);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void stickyFollowsAnInstanceIdInSpringCloudsCookieIfNoOtherIsSet(@Nullable String unset) {
        properties.getSticky().setHeader(unset);
        properties.getSticky().setCookie(unset);
        SelectionStrategy strategy = sticky();
        Request<?> request = Instances.request(HttpHeaders.COOKIE, "a=b; sc-lb-instance-id=svc-10.0.0.1-8007; c=d");
        for (int i = 0; i < 10; i++) {
            assertThat(strategy.choose(Instances.list(10), request).getPort()).isEqualTo(8007);
        }
    }

    @Test
    void stickyAgreesAmongCallersOnANewKey() {
        properties.getSticky().setCookie("session");
        Request<?> request = Instances.request(HttpHeaders.COOKIE, "session=42");
        assertThat(sticky().choose(Instances.list(10), request).getPort())
                .isEqualTo(sticky().choose(Instances.list(10), request).getPort());
    }

    @Test
    void stickyWithoutKeyGoesRound() {
        SelectionStrategy strategy = sticky();
        assertThat(strategy.choose(Instances.list(2), Instances.request("/")).getPort())
                .isNotEqualTo(strategy.choose(Instances.list(2), Instances.request("/"))
                        .getPort());
    }

    private SelectionStrategy sticky() {
        properties.setStrategy(LoadBalancerProperties.Strategy.STICKY);
        return strategies.create("svc", "sc-lb-instance-id");
    }

    private SelectionStrategy consistentHash(String header) {
        properties.setStrategy(LoadBalancerProperties.Strategy.CONSISTENT_HASH);
        properties.setHashHeader(header);
        return strategies.create("svc", "sc-lb-instance-id");
    }

    private static Map<Integer, Integer> place(SelectionStrategy strategy, List<ServiceInstance> instances) {
        Map<Integer, Integer> placed = new HashMap<>();
        for (int key = 0; key < KEYS; key++) {
            placed.put(
                    key,
                    strategy.choose(instances, Instances.request("X-Tenant", "tenant-" + key))
                            .getPort());
        }
        return placed;
    }
}
