package io.rollcall.registry.consul;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Does what an agent does without being asked: checks, expires and removes. */
final class StandInChecker {

    private static final long MINUTE = 60_000;

    private final StandInCatalog catalog;

    private final long minuteMillis;

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(4);

    private final Map<StandInCheck, Long> nextRun = new ConcurrentHashMap<>();

    /** @param minuteMillis how long a minute is where critical services are removed, so that tests need not wait for one */
    StandInChecker(StandInCatalog catalog, long minuteMillis) {
        this.catalog = catalog;
        this.minuteMillis = minuteMillis;
    }

    void start() {
        executor.scheduleWithFixedDelay(() -> catalog.forEach(this::look), 20, 20, TimeUnit.MILLISECONDS);
    }

    private void look(StandInService service) {
        service.checks.values().forEach(check -> {
            switch (check.type) {
                case "ttl" -> {
                    if (check.status.equals("passing") && since(check.renewed) > check.millis("TTL", 0)) {
                        catalog.found(service.id, check, "critical", "TTL expired");
                    }
                }
                case "http", "tcp" -> run(service, check);
                default -> {}
            }
            long removal = Math.max(MINUTE, check.millis("DeregisterCriticalServiceAfter", 0)) * minuteMillis / MINUTE;
            if (check.definition.containsKey("DeregisterCriticalServiceAfter")
                    && check.status.equals("critical")
                    && since(check.criticalSince) > removal) {
                executor.execute(() -> catalog.deregister(service.id));
            }
        });
    }

    private static long since(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1_000_000;
    }

    private void run(StandInService service, StandInCheck check) {
        long now = System.nanoTime();
        long interval = Math.max(1000, check.millis("Interval", 1000)) * 1_000_000;
        Long due = nextRun.computeIfAbsent(check, key -> now + interval / 4);
        if (now - due < 0) {
            return;
        }
        nextRun.put(check, now + interval);
        executor.execute(() -> {
            int timeout = (int) check.millis("Timeout", 10_000);
            String status = check.type.equals("http")
                    ? http((String) check.definition.get("HTTP"), timeout)
                    : tcp((String) check.definition.get("TCP"), timeout);
            catalog.found(service.id, check, status, "");
        });
    }

    private static String http(String url, int timeout) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(timeout);
            connection.setReadTimeout(timeout);
            int status = connection.getResponseCode();
            return status / 100 == 2 ? "passing" : status == 429 ? "warning" : "critical";
        } catch (IOException ex) {
            return "critical";
        }
    }

    private static String tcp(String address, int timeout) {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    timeout);
            return "passing";
        } catch (IOException ex) {
            return "critical";
        }
    }
}
