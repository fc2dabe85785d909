package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Members of Swoole's sets: {@code ip:port}, where the IP is one of version 4, since the readers split at every colon. */
final class SwooleMember {

    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");

    private static final Pattern MEMBER = Pattern.compile("(" + IPV4 + "):([1-9]\\d{0,4})");

    private SwooleMember() {}

    /** The member for an instance, or an empty text if Swoole's readers would choke on its host. */
    static String of(Instance instance) {
        return IPV4.matcher(instance.host()).matches() ? instance.host() + ":" + instance.port() : "";
    }

    /**
     * What a member says.
     *
     * @throws IllegalArgumentException if it is no address and port
     */
    static Instance read(String service, String member) {
        Matcher matcher = MEMBER.matcher(member);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not of the form ip:port");
        }
        String host = matcher.group(1);
        int port = Integer.parseInt(matcher.group(2));
        return new Instance(service + "-" + host + "-" + port, service, host, port, false, Map.of());
    }
}
