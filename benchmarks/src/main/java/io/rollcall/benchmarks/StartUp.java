package io.rollcall.benchmarks;

import java.lang.management.ManagementFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An empty web application that starts, says how long it took and what processor time the process had used by then, and stops. To be
 * run with {@code --rollcall.enabled=false} and with registries, several times each.
 */
public final class StartUp {

    private StartUp() {}

    /** Arguments are properties, as for every application. */
    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).run(arguments)) {
            long wall = ManagementFactory.getRuntimeMXBean().getUptime();
            com.sun.management.OperatingSystemMXBean system =
                    (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            System.out.printf(
                    "started after %d ms, processor time %d ms, active %s%n",
                    wall, system.getProcessCpuTime() / 1_000_000, context.isActive());
        }
    }

    @EnableAutoConfiguration
    static class Application {}
}
