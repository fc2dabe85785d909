package io.rollcall.concurrency;

import org.jspecify.annotations.Nullable;

/** Tells the requests that are meant to stay open for hours by their headers. */
final class LongLived {

    private static final String EVENT_STREAM = "text/event-stream";

    private LongLived() {}

    /**
     * Whether a request announces itself as long-lived. An event stream is announced only by asking for nothing else:
     * clients that accept JSON beside it mostly get JSON.
     *
     * @param upgrade the request's {@code Upgrade} header
     * @param accept the request's {@code Accept} header
     */
    static boolean announced(@Nullable String upgrade, @Nullable String accept) {
        return "websocket".equalsIgnoreCase(upgrade) || isEventStream(accept);
    }

    /**
     * @param mediaTypes a {@code Content-Type} or {@code Accept} header
     */
    static boolean isEventStream(@Nullable String mediaTypes) {
        return mediaTypes != null
                && mediaTypes.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length())
                && mediaTypes.indexOf(',') < 0;
    }
}
