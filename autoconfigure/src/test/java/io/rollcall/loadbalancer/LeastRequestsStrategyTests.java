package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;

class LeastRequestsStrategyTests {

    private final InFlight inFlight = new InFlight();

    private final LeastRequestsStrategy strategy = new LeastRequestsStrategy(inFlight);

    @Test
    void choosesTheLessBusyOfTwo() {
        List<ServiceInstance> two = Instances.list(2);
        inFlight.started(two.get(0));
        for (int i = 0; i < 100; i++) {
            assertThat(strategy.choose(two, Instances.request("/"))).isSameAs(two.get(1));
        }
    }

    @Test
    void keepsTheBusiestCloseToTheOthers() {
        List<ServiceInstance> hundred = Instances.list(100);
        for (int i = 0; i < 1000; i++) {
            inFlight.started(strategy.choose(hundred, Instances.request("/")));
        }
        // Random choice alone would be expected to bring the busiest to about 19; two choices bring it to 12.
        assertThat(hundred)
                .allSatisfy(instance -> assertThat(inFlight.count(instance)).isLessThanOrEqualTo(15));
    }

    @Test
    void choosesTheOnlyOne() {
        List<ServiceInstance> one = Instances.list(1);
        assertThat(strategy.choose(one, Instances.request("/"))).isSameAs(one.get(0));
    }

    @Test
    void countsUnderContentionAndForgetsIdleServers() throws Exception {
        List<ServiceInstance> two = Instances.list(2);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 10_000; i++) {
                    inFlight.started(two.get(i % 2));
                    inFlight.ended(two.get(i % 2));
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(inFlight).hasToString("{}");
    }
}
