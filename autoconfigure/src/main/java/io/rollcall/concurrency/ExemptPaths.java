package io.rollcall.concurrency;

import java.util.List;

/** Names paths that are exempt without the user having to say so. Asked once, when the first request comes. */
@FunctionalInterface
interface ExemptPaths {

    /** Patterns within the context path. */
    List<String> patterns();
}
