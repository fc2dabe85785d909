package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Swoole;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Members of Swoole's sets: {@code ip:port}, where the IP is one of version 4, since the readers split at every colon. */
final class SwooleMember {

    private static final Pattern MEMBER = Pattern.compile("([0-9.]+):([1-9]\\d{0,4})");

    private SwooleMember() {}

    /** The member for an instance, or an empty text if Swoole's readers would choke on its host. */
    static String of(Instance instance) {
        return Swoole.reads(instance.host()) ? instance.host() + ":" + instance.port() : "";
    }

    /**
     * What a member says.
     *
     * @throws IllegalArgumentException if it is no address and port
     */
    static Instance read(String service, String member) {
        Matcher matcher = MEMBER.matcher(member);
        if (!matcher.matches() || !Swoole.reads(matcher.group(1))) {
            throw new IllegalArgumentException("not of the form ip:port");
        }
        String host = matcher.group(1);
        int port = Integer.parseInt(matcher.group(2));
        return new Instance(service + "-" + host + "-" + port, service, host, port, false, Map.of());
    }
}
