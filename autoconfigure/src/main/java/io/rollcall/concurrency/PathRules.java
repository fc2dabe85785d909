package io.rollcall.concurrency;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A set of path patterns. Literal paths and literal prefixes ({@code /internal/**}), which nearly all are, are compared as
 * strings, so that most servlet requests need not have their path parsed for this.
 */
final class PathRules {

    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);
    private static final String SUBTREE = "/**";

    private final List<PathPattern> all;
    private final Set<String> literals = new HashSet<>();
    private final List<String> prefixes = new ArrayList<>();
    private final List<PathPattern> others = new ArrayList<>();

    PathRules(Collection<PathPattern> patterns) {
        all = List.copyOf(patterns);
        for (PathPattern pattern : all) {
            String text = pattern.getPatternString();
            String prefix = text.endsWith(SUBTREE) ? text.substring(0, text.length() - SUBTREE.length()) : null;
            if (!pattern.hasPatternSyntax()) {
                literals.add(text);
            } else if (prefix != null && isLiteral(prefix)) {
                prefixes.add(prefix);
            } else {
                others.add(pattern);
            }
        }
    }

    /** A path as a servlet container hands it out: decoded, normalised, without parameters. */
    static PathContainer decoded(String path) {
        return PathContainer.parsePath(path, DECODED);
    }

    /**
     * @param decodedPath as for {@link #decoded(String)}
     */
    boolean matches(String decodedPath) {
        if (literals.contains(decodedPath) || isUnderPrefix(decodedPath)) {
            return true;
        }
        return !others.isEmpty() && anyMatches(others, decoded(decodedPath));
    }

    boolean matches(PathContainer path) {
        return anyMatches(all, path);
    }

    private boolean isUnderPrefix(String path) {
        for (String prefix : prefixes) {
            int length = prefix.length();
            if (path.startsWith(prefix) && (path.length() == length || path.charAt(length) == '/')) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyMatches(List<PathPattern> patterns, PathContainer path) {
        for (PathPattern pattern : patterns) {
            if (pattern.matches(path)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLiteral(String text) {
        return text.chars().noneMatch(c -> "*?{}\\".indexOf(c) >= 0);
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
