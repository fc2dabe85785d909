package io.rollcall.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What a Redis has to do for applications that do nothing. Arguments: its port on this machine, instances, consumers, seconds. The
 * instances are spread over ten services, and every consumer uses all ten. All run in this process, with connections of their own.
 */
public final class IdleCostMeasurement {

    private static final int SERVICES = 10;

    private IdleCostMeasurement() {}

    /** Prints per second the scripts that Redis was told to run, the bytes that it was sent, and the commands it did, those in scripts included. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        int instances = Integer.parseInt(arguments[1]);
        int consumers = Integer.parseInt(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);
        List<ConfigurableApplicationContext> contexts = new ArrayList<>();
        try {
            for (int i = 0; i < instances; i++) {
                contexts.add(start(port, "service-" + i % SERVICES, "--rollcall.ports.http.port=" + (20_000 + i)));
            }
            for (int i = 0; i < consumers; i++) {
                ConfigurableApplicationContext consumer =
                        start(port, "consumer", "--rollcall.registration.enabled=false");
                contexts.add(consumer);
                for (int service = 0; service < SERVICES; service++) {
                    int found = consumer.getBean(DiscoveryClient.class)
                            .getInstances("service-" + service)
                            .size();
                    if (found != instances / SERVICES) {
                        System.out.println("service-" + service + " has " + found + " instances so far");
                    }
                }
            }
            rest(20);
            long commands = info(port, "total_commands_processed");
            long scripts = info(port, "cmdstat_evalsha");
            long bytes = info(port, "total_net_input_bytes");
            rest(seconds);
            System.out.printf(
                    "%d idle instances and %d consumers: %.1f scripts/s, %.1f kB/s in, %.1f commands/s%n",
                    instances,
                    consumers,
                    (info(port, "cmdstat_evalsha") - scripts) / (double) seconds,
                    (info(port, "total_net_input_bytes") - bytes) / 1000.0 / seconds,
                    (info(port, "total_commands_processed") - commands) / (double) seconds);
        } finally {
            contexts.parallelStream().forEach(ConfigurableApplicationContext::close);
        }
    }

    private static void rest(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long info(int port, String figure) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port);
                OutputStream out = socket.getOutputStream();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out.write("INFO stats\r\nINFO commandstats\r\nQUIT\r\n".getBytes(StandardCharsets.UTF_8));
            return in.lines()
                    .filter(line -> line.startsWith(figure + ":"))
                    .map(line -> line.substring(figure.length() + 1).replace("calls=", ""))
                    .mapToLong(value -> Long.parseLong(value.replaceFirst(",.*", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static ConfigurableApplicationContext start(int port, String name, String more) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(
                        "--spring.application.name=" + name,
                        "--rollcall.registries.redis.url=redis://127.0.0.1:" + port,
                        "--rollcall.registration.drain-wait=0s",
                        "--spring.cloud.inetutils.preferred-networks=127.0.0.1",
                        "--spring.cloud.inetutils.default-ip-address=127.0.0.1",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=error",
                        more);
    }

    @EnableAutoConfiguration
    static class Application {}
}
