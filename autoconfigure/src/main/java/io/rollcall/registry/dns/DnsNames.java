package io.rollcall.registry.dns;

import java.util.regex.Pattern;

/** Names that are asked for: always whole ones, to which no search list adds anything. */
final class DnsNames {

    private static final Pattern LABELS = Pattern.compile(
            "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*");

    private static final int LONGEST = 253;

    private DnsNames() {}

    /** Whether it is a name, or a part of one, without a dot at its end. */
    static boolean isValid(String name) {
        return name.length() <= LONGEST && LABELS.matcher(name).matches();
    }
}
