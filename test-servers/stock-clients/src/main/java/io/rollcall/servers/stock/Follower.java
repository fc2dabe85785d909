package io.rollcall.servers.stock;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.context.ApplicationContext;

/** Asks again and again, as a busy caller does, and tells when the answer has changed. */
final class Follower implements Runnable {

    private final String view;

    private final long pauseNanos;

    private final Supplier<List<String>> question;

    private Follower(String view, long pauseNanos, Supplier<List<String>> question) {
        this.view = view;
        this.pauseNanos = pauseNanos;
        this.question = question;
    }

    /** Follows a service in both places where callers find it: what the registry's client lists, and what the load balancer chooses. */
    static void start(ApplicationContext context, String service, long pauseNanos) {
        DiscoveryClient client = context.getBean(DiscoveryClient.class);
        LoadBalancerClient balancer = context.getBean(LoadBalancerClient.class);
        run(new Follower(
                "listed",
                pauseNanos,
                () -> client.getInstances(service).stream()
                        .map(Follower::name)
                        .sorted()
                        .toList()));
        run(new Follower("chosen", pauseNanos, () -> {
            ServiceInstance chosen = balancer.choose(service);
            return chosen == null ? List.of() : List.of(name(chosen));
        }));
    }

    private static void run(Follower follower) {
        Thread thread = new Thread(follower, "follower-" + follower.view);
        thread.setDaemon(true);
        thread.start();
    }

    private static String name(ServiceInstance instance) {
        return Objects.requireNonNullElse(instance.getInstanceId(), "") + "@" + instance.getPort();
    }

    @Override
    public void run() {
        List<String> before = List.of();
        DrivenApplication.say(Map.of("view", view, "ids", before, "nanos", System.nanoTime()));
        while (true) {
            List<String> now = question.get();
            if (!now.equals(before)) {
                DrivenApplication.say(Map.of("view", view, "ids", now, "nanos", System.nanoTime()));
                before = now;
            }
            LockSupport.parkNanos(pauseNanos);
        }
    }
}
