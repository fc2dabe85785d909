package io.rollcall.benchmarks;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What a look-up of a known service costs: by the discovery client of Rollcall, by Spring Cloud's composite before it, and a whole
 * choice of the load balancer. Run it by {@code org.openjdk.jmh.Main LookupBenchmark -prof gc} on this module's class path.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookupBenchmark {

    /** How many instances the service has. */
    @Param({"3", "100", "1000"})
    public int instances;

    private ConfigurableApplicationContext context;

    private DiscoveryClient client;

    private DiscoveryClient composite;

    private LoadBalancerClient loadBalancer;

    /** Starts an application that sees the service in a registry of its own. */
    @Setup
    public void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .initializers(starting -> ((org.springframework.context.support.GenericApplicationContext) starting)
                        .registerBean("fixed", Resolver.class, () -> new FixedResolver(instances)))
                .run("--rollcall.registration.enabled=false", "--logging.level.root=warn");
        composite = context.getBean(DiscoveryClient.class);
        client = context.getBeansOfType(DiscoveryClient.class).get("rollcallDiscoveryClient");
        loadBalancer = context.getBean(LoadBalancerClient.class);
        if (client.getInstances("orders").size() != instances || loadBalancer.choose("orders") == null) {
            throw new IllegalStateException("The service was not found");
        }
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** Rollcall's client. */
    @Benchmark
    public List<ServiceInstance> getInstances() {
        return client.getInstances("orders");
    }

    /** What an application injects. */
    @Benchmark
    public List<ServiceInstance> getInstancesOfComposite() {
        return composite.getInstances("orders");
    }

    /** A choice for a blocking caller. */
    @Benchmark
    public ServiceInstance choose() {
        return loadBalancer.choose("orders");
    }

    @EnableAutoConfiguration
    static class Application {}

    private record FixedResolver(int count) implements Resolver {

        @Override
        public Listing lookup(String service) {
            return Listing.of(IntStream.range(0, count)
                    .mapToObj(i -> new Instance(
                            service + "-" + i,
                            service,
                            "10.0." + i / 250 + "." + i % 250,
                            8080,
                            false,
                            Map.of("weight", "100")))
                    .toList());
        }

        @Override
        public Set<String> services() {
            return Set.of("orders");
        }

        @Override
        public Watch watch(String service, WatchListener listener) {
            return () -> {};
        }
    }
}
