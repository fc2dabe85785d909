package io.rollcall.registry;

import java.util.regex.Pattern;

/** What the name services of Swoole (PHP) expect of entries: one that breaks a rule makes their readers refuse all others with it. */
public final class Swoole {

    /** What names of services begin with that Swoole finds in Consul and Nacos. */
    public static final String PREFIX = "swoole_service_";

    /** The highest weight that its readers accept; it is what Swoole itself writes. */
    public static final int MAX_WEIGHT = 100;

    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");

    private Swoole() {}

    /** Whether its readers understand the host: names are none to them, and they split addresses at every colon. */
    public static boolean reads(String host) {
        return IPV4.matcher(host).matches();
    }

    /**
     * Checks an instance that Swoole is meant to read.
     *
     * @throws RefusedException if its readers would choke on it
     */
    public static void check(Instance instance) throws RefusedException {
        if (!reads(instance.host())) {
            throw new RefusedException("Swoole reads IPv4 literals only, and one entry with the host '"
                    + instance.host() + "' would hide all others");
        }
    }
}
