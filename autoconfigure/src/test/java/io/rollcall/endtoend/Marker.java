package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Credentials that are recognized in all forms in which clients send them. */
final class Marker {

    /** Part of every secret, and the same in a URL. */
    private static final String CORE = "-s3cret";

    /** With characters that a URL has to encode. */
    static final String USER = "m4rk@us+er";

    static final String PASSWORD = USER + CORE;

    static final String TOKEN = "t0ken" + CORE;

    private static final Base64.Encoder BASE64 = Base64.getEncoder().withoutPadding();

    /** What an HTTP client sends. */
    static final String BASIC = "Basic " + Base64.getEncoder().encodeToString(bytes(USER + ":" + PASSWORD));

    /** In Base64 whatever stands before it, all but the last characters of each, which depend on what follows. */
    private static final Set<String> FORMS = Set.of(
            CORE,
            hex(CORE, ""),
            hex(CORE, " "),
            prefix(BASE64.encodeToString(bytes(USER + ":" + PASSWORD))),
            prefix(BASE64.encodeToString(bytes("\0" + USER + "\0" + PASSWORD))),
            prefix(BASE64.encodeToString(bytes(PASSWORD))),
            prefix(BASE64.encodeToString(bytes(TOKEN))));

    private Marker() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(String text, String separator) {
        return HexFormat.ofDelimiter(separator).formatHex(bytes(text));
    }

    private static String prefix(String text) {
        return text.substring(0, text.length() - 2);
    }

    /** User and password as they stand in a URL. */
    static String userInfo() {
        return encode(USER) + ":" + encode(PASSWORD);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Fails if the text has a secret in some form; shows what is around it, and where the text is from. */
    static void assertNotIn(String where, String text) {
        for (String form : FORMS) {
            int at = text.indexOf(form);
            assertThat(at < 0 ? "" : text.substring(Math.max(0, at - 300), Math.min(text.length(), at + 100)))
                    .as("a secret in " + where)
                    .isEmpty();
        }
    }

    /** Fails if any of the lines does. */
    static void assertNotIn(String where, List<String> lines) {
        lines.forEach(line -> assertNotIn(where, line));
    }
}
