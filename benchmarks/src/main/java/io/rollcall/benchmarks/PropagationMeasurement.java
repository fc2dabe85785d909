package io.rollcall.benchmarks;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * How long it takes from {@code join} returning until another application's load balancer chooses the instance, and from {@code
 * leave} returning until it does so no more. Arguments: the URL of a registry, and the number of rounds. The two applications have
 * connections of their own but share the process, so that they share a clock.
 */
public final class PropagationMeasurement {

    private PropagationMeasurement() {}

    /** Prints p50, p99 and the maximum of both, in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        String service = "measured-" + UUID.randomUUID();
        try (ConfigurableApplicationContext provider = start(url);
                ConfigurableApplicationContext consumer = start(url)) {
            Registrar registrar = provider.getBean(Registries.class)
                    .named("one")
                    .orElseThrow()
                    .registrar();
            LoadBalancerClient loadBalancer = consumer.getBean(LoadBalancerClient.class);
            Instance instance = new Instance(service + "-1", service, "127.0.0.1", 1, false, Map.of());
            long[] join = new long[rounds];
            long[] leave = new long[rounds];
            int warmUp = 20;
            for (int round = -warmUp; round < rounds; round++) {
                registrar.join(instance);
                long joined = System.nanoTime();
                await(loadBalancer, service, true);
                long seen = System.nanoTime();
                registrar.leave(instance);
                long left = System.nanoTime();
                await(loadBalancer, service, false);
                if (round >= 0) {
                    join[round] = seen - joined;
                    leave[round] = System.nanoTime() - left;
                }
            }
            print("join to chosen", join);
            print("leave to gone", leave);
        }
    }

    private static void await(LoadBalancerClient loadBalancer, String service, boolean there) {
        while (loadBalancer.choose(service) != null != there) {
            Thread.onSpinWait();
        }
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%s: p50 %.2f ms, p99 %.2f ms, max %.2f ms of %d%n",
                what,
                nanos[nanos.length / 2] / 1e6,
                nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e6,
                nanos[nanos.length - 1] / 1e6,
                nanos.length);
    }

    private static ConfigurableApplicationContext start(String url) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run("--rollcall.registries.one.url=" + url, "--logging.level.root=warn");
    }

    @EnableAutoConfiguration
    static class Application {}
}
