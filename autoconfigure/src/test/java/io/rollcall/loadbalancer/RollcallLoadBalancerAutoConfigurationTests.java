package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import feign.Client;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.HttpRequestLoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerCacheAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.RandomLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import reactor.core.publisher.Flux;

class RollcallLoadBalancerAutoConfigurationTests {

    private final List<ServiceInstance> live = new CopyOnWriteArrayList<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RollcallLoadBalancerAutoConfiguration.class,
                    LoadBalancerAutoConfiguration.class,
                    LoadBalancerCacheAutoConfiguration.class,
                    BlockingLoadBalancerClientAutoConfiguration.class))
            .withBean(ReactiveDiscoveryClient.class, () -> new ListClient(live));

    @Test
    void feignMayCallItsCapabilityInANativeImage() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, FailoverConfiguration.Feign.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(FailoverFeignCapability.class.getMethod("enrich", Client.class)))
                .accepts(hints);
    }

    @Test
    void goesRoundByDefault() {
        live.addAll(Instances.list(3));
        runner.run(context -> {
            assertThat(chosen(context.getBean(LoadBalancerClient.class), 3)).hasSize(3);
        });
    }

    @Test
    void seesAChangeOfTheListAtOnce() {
        live.add(Instances.instance(1, Map.of()));
        runner.run(context -> {
            LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
            assertThat(chosen(client, 10)).containsExactly(1);
            live.set(0, Instances.instance(2, Map.of()));
            assertThat(chosen(client, 10)).containsExactly(2);
            live.clear();
            assertThat(client.choose("svc")).isNull();
        });
    }

    @ParameterizedTest
    @EnumSource(LoadBalancerProperties.Strategy.class)
    void givesNoTrafficToWeightZero(LoadBalancerProperties.Strategy strategy) {
        live.add(Instances.weighted(1, 0));
        live.add(Instances.weighted(2, 50));
        live.add(Instances.weighted(3, 50));
        runner.withPropertyValues(
                        "rollcall.load-balancer.strategy=" + strategy, "rollcall.load-balancer.sticky.header=k")
                .run(context -> {
                    LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
                    Set<Integer> ports = new HashSet<>();
                    for (int i = 0; i < 200; i++) {
                        ports.add(client.choose("svc", Instances.request("k", "v" + i))
                                .getPort());
                        ports.add(
                                client.choose("svc", Instances.request("/" + i)).getPort());
                    }
                    assertThat(ports).containsExactlyInAnyOrder(2, 3);
                    live.set(1, Instances.weighted(2, 0));
                    live.set(2, Instances.weighted(3, 0));
                    assertThat(client.choose("svc", Instances.request("k", "v")))
                            .isNull();
                });
    }

    @Test
    void takesAStrategyPerService() {
        live.add(Instances.weighted(1, 100));
        live.add(Instances.weighted(2, 600));
        runner.withPropertyValues(
                        "rollcall.load-balancer.strategy=consistent-hash",
                        "rollcall.load-balancer.services.svc.strategy=weighted")
                .run(context -> {
                    LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
                    Map<Integer, Integer> counts = new HashMap<>();
                    for (int i = 0; i < 700; i++) {
                        counts.merge(
                                client.choose("svc", Instances.request("/")).getPort(), 1, Integer::sum);
                    }
                    assertThat(counts.get(1)).isBetween(95, 105);
                    Set<Integer> other = new HashSet<>();
                    for (int i = 0; i < 20; i++) {
                        other.add(client.choose("other", Instances.request("/")).getPort());
                    }
                    assertThat(other).hasSize(1);
                });
    }

    @Test
    void namesAStrategyThatDoesNotExist() {
        runner.withPropertyValues("rollcall.load-balancer.strategy=fastest")
                .run(context ->
                        assertThat(context).hasFailed().getFailure().rootCause().hasMessageContaining("fastest"));
    }

    @Test
    void prefersTheZoneOfThisInstanceAndFallsBack() {
        live.add(Instances.instance(1, Map.of("zone", "a")));
        live.add(Instances.instance(2, Map.of("zone", "b")));
        live.add(Instances.instance(3, Map.of()));
        runner.withPropertyValues(
                        "spring.cloud.loadbalancer.configurations=zone-preference", "rollcall.instance.zone=a")
                .run(context -> {
                    LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
                    assertThat(chosen(client, 10)).containsExactly(1);
                    live.remove(0);
                    assertThat(chosen(client, 10)).containsExactlyInAnyOrder(2, 3);
                });
    }

    @Test
    void takesSpringCloudsZoneBeforeThatOfThisInstance() {
        live.add(Instances.instance(1, Map.of("zone", "a")));
        live.add(Instances.instance(2, Map.of("zone", "b")));
        runner.withPropertyValues(
                        "spring.cloud.loadbalancer.configurations=zone-preference",
                        "spring.cloud.loadbalancer.zone=b",
                        "rollcall.instance.zone=a")
                .run(context -> assertThat(chosen(context.getBean(LoadBalancerClient.class), 10))
                        .containsExactly(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"request-based-sticky-session", "same-instance-preference", "subset", "weighted", "default"})
    void worksUnderSpringCloudsOtherConfigurations(String configuration) {
        live.add(Instances.weighted(1, 0));
        live.add(Instances.weighted(2, 1));
        runner.withPropertyValues("spring.cloud.loadbalancer.configurations=" + configuration)
                .run(context -> assertThat(chosen(context.getBean(LoadBalancerClient.class), 10))
                        .containsExactly(2));
    }

    @Test
    void usesABlockingDiscoveryClientIfThereIsNoReactiveOne() {
        live.addAll(Instances.list(2));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RollcallLoadBalancerAutoConfiguration.class,
                        LoadBalancerAutoConfiguration.class,
                        BlockingLoadBalancerClientAutoConfiguration.class))
                .withBean(DiscoveryClient.class, () -> new BlockingListClient(live))
                .run(context -> assertThat(chosen(context.getBean(LoadBalancerClient.class), 2))
                        .hasSize(2));
    }

    @Test
    void hasNoInstancesWithoutAnyDiscoveryClient() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RollcallLoadBalancerAutoConfiguration.class,
                        LoadBalancerAutoConfiguration.class,
                        BlockingLoadBalancerClientAutoConfiguration.class))
                .run(context -> assertThat(
                                context.getBean(LoadBalancerClient.class).choose("svc"))
                        .isNull());
    }

    @ParameterizedTest
    @ValueSource(classes = {ForOneClient.class, ForAllClients.class})
    void givesWayToTheUsersConfiguration(Class<?> configuration) {
        live.addAll(Instances.list(2));
        runner.withUserConfiguration(configuration).run(context -> {
            LoadBalancerClientFactory clients = context.getBean(LoadBalancerClientFactory.class);
            assertThat(clients.getInstance("svc", ReactorServiceInstanceLoadBalancer.class))
                    .isInstanceOf(RandomLoadBalancer.class);
            assertThat(chosen(context.getBean(LoadBalancerClient.class), 10)).containsExactly(7);
        });
    }

    @Test
    void keepsWeightZeroOutOfTheUsersSuppliers() {
        runner.withUserConfiguration(ForOneClient.class).run(context -> {
            ServiceInstanceListSupplier supplier = context.getBean(LoadBalancerClientFactory.class)
                    .getInstance("svc", ServiceInstanceListSupplier.class);
            assertThat(supplier.get().blockFirst())
                    .extracting(ServiceInstance::getPort)
                    .containsExactly(7);
        });
    }

    @Test
    void keepsTriedInstancesOutOfTheUsersSuppliers() {
        runner.withUserConfiguration(ForOneClient.class).run(context -> {
            Call call = context.getBean(Failover.class).begin("svc");
            Request<RequestDataContext> request = Instances.request("/");
            request.getContext().getClientRequest().getAttributes().put(Call.ATTRIBUTE, call);
            LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
            ServiceInstance first = client.choose("svc", request);
            assertThat(first.getPort()).isEqualTo(7);
            call.started(first);
            assertThat(client.choose("svc", request)).isNull();
        });
    }

    @Test
    void leavesNoCountOfRequestsInFlightAfterAnError() {
        live.addAll(Instances.list(1));
        runner.run(context -> {
            assertThatThrownBy(() -> execute(context.getBean(LoadBalancerClient.class), () -> {
                        throw new StackOverflowError();
                    }))
                    .isInstanceOf(StackOverflowError.class);
            assertThat(context.getBean(InFlight.class)).hasToString("{}");
        });
    }

    @Test
    void closesTheRefusalIfTheNextInstanceCanNotBeChosen() {
        live.addAll(Instances.list(2));
        AtomicBoolean closed = new AtomicBoolean();
        MockClientHttpResponse refusal = new MockClientHttpResponse(new byte[0], HttpStatus.SERVICE_UNAVAILABLE) {
            @Override
            public void close() {
                closed.set(true);
            }
        };
        refusal.getHeaders().set(Outcomes.REJECTED, "max-concurrency");
        runner.withBean(LoadBalancerLifecycle.class, ThrowingOnRetry::new).run(context -> {
            assertThatThrownBy(() -> execute(context.getBean(LoadBalancerClient.class), () -> refusal))
                    .hasMessage("no");
            assertThat(closed).isTrue();
        });
    }

    private static void execute(LoadBalancerClient client, Supplier<Object> attempt) throws IOException {
        client.execute("svc", new HttpRequestLoadBalancerRequest<>() {
            @Override
            public HttpRequest getHttpRequest() {
                return new MockClientHttpRequest(HttpMethod.GET, URI.create("http://svc/"));
            }

            @Override
            public Object apply(ServiceInstance instance) {
                return attempt.get();
            }
        });
    }

    private static final class ThrowingOnRetry implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

        @Override
        public void onStart(Request<Object> request) {
            if (Call.isRetry(request)) {
                throw new IllegalStateException("no");
            }
        }

        @Override
        public void onStartRequest(Request<Object> request, Response<ServiceInstance> response) {}

        @Override
        public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {}
    }

    @Test
    void leavesRetriesToSpringCloudIfToldSo() {
        runner.withPropertyValues("spring.cloud.loadbalancer.retry.enabled=true")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(Failover.class).hasSingleBean(LoadBalancerClient.class);
                    assertThat(context.getBean(LoadBalancerClient.class))
                            .isNotInstanceOf(FailoverLoadBalancerClient.class);
                });
    }

    @Test
    void worksWithoutAnyHttpClient() {
        live.addAll(Instances.list(1));
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.web.reactive",
                        "org.springframework.cloud.openfeign",
                        "org.springframework.cloud.gateway",
                        "org.apache.hc",
                        "feign"))
                .run(context -> assertThat(chosen(context.getBean(LoadBalancerClient.class), 1))
                        .hasSize(1));
    }

    @Test
    void keepsTheUsersLoadBalancerClient() {
        runner.withBean(LoadBalancerClient.class, () -> new CallLoadBalancerClient(null, null))
                .run(context -> assertThat(context.getBean(LoadBalancerClient.class))
                        .isInstanceOf(CallLoadBalancerClient.class));
    }

    @Test
    void isOffWithoutSpringCloudLoadBalancer() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RollcallLoadBalancerAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.cloud.loadbalancer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LoadBalancerProperties.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rollcall.enabled=false", "spring.cloud.loadbalancer.enabled=false"})
    void isOffByProperty(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context).doesNotHaveBean(LoadBalancerProperties.class));
    }

    private static Set<Integer> chosen(LoadBalancerClient client, int calls) {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < calls; i++) {
            ports.add(client.choose("svc", Instances.request("/")).getPort());
        }
        return ports;
    }

    @Configuration(proxyBeanMethods = false)
    @org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient(name = "svc", configuration = Custom.class)
    static class ForOneClient {}

    @Configuration(proxyBeanMethods = false)
    @LoadBalancerClients(defaultConfiguration = Custom.class)
    static class ForAllClients {}

    static class Custom {

        @Bean
        ReactorLoadBalancer<ServiceInstance> random(LoadBalancerClientFactory clients) {
            ObjectProvider<ServiceInstanceListSupplier> supplier =
                    clients.getLazyProvider("svc", ServiceInstanceListSupplier.class);
            return new RandomLoadBalancer(supplier, "svc");
        }

        @Bean
        ServiceInstanceListSupplier fixed(ConfigurableApplicationContext context) {
            return new ServiceInstanceListSupplier() {
                @Override
                public String getServiceId() {
                    return "svc";
                }

                @Override
                public Flux<List<ServiceInstance>> get() {
                    return Flux.just(List.of(Instances.weighted(7, 1), Instances.weighted(8, 0)));
                }
            };
        }
    }

    private record BlockingListClient(List<ServiceInstance> live) implements DiscoveryClient {

        @Override
        public String description() {
            return "test";
        }

        @Override
        public List<ServiceInstance> getInstances(String serviceId) {
            return live;
        }

        @Override
        public List<String> getServices() {
            return List.of("svc");
        }
    }
}
