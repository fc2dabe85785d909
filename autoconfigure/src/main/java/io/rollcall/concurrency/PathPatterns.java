package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Reads the patterns of a property. */
final class PathPatterns {

    private PathPatterns() {}

    static List<PathPattern> parse(String property, List<String> patterns) {
        List<PathPattern> parsed = new ArrayList<>();
        for (String pattern : patterns) {
            parsed.add(parse(property, pattern.strip()));
        }
        return parsed;
    }

    private static PathPattern parse(String property, String pattern) {
        if (!pattern.startsWith("/")) {
            throw invalid(property, pattern, "a path pattern begins with '/'");
        }
        try {
            return PathPatternParser.defaultInstance.parse(pattern);
        } catch (PatternParseException ex) {
            throw invalid(property, pattern, String.valueOf(ex.getMessage()));
        }
    }

    private static InvalidConfigurationException invalid(String property, String pattern, String reason) {
        return new InvalidConfigurationException(
                property, pattern, reason, "Write patterns as in Spring MVC and WebFlux, for instance '/internal/**'.");
    }
}
