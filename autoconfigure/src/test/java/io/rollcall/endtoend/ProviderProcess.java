package io.rollcall.endtoend;

import io.rollcall.TestApplication;
import java.io.IOException;
import java.nio.file.Path;

/** A provider in a process of its own, so that it can be killed. */
final class ProviderProcess {

    private ProviderProcess() {}

    static Process start(String service, String redis, String zookeeper) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProviderProcess.class.getName(),
                        service,
                        redis,
                        zookeeper)
                .inheritIO()
                .start();
    }

    public static void main(String[] arguments) {
        TestApplication application = TestApplication.named(arguments[0]).shutdownHook();
        for (int i = 1; i <= 2; i++) {
            String registry = "rollcall.registries." + (i == 1 ? "redis" : "zk");
            application.with(
                    registry + ".url=" + arguments[i],
                    registry + ".interval=500ms",
                    registry + ".ttl=4s",
                    registry + ".timeout=1500ms");
        }
        application.start();
    }
}
