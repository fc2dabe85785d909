package io.rollcall.discovery;

import org.jspecify.annotations.Nullable;

/**
 * How a registry has failed lately for one service. A registry that is down fails for all; where a right is missing, something odd is
 * in the way or a list takes too long, it fails for one and answers for others, which must not suffer then. Not thread-safe.
 */
final class Failures {

    /** How many answers the registry had given when it last failed, or null if it has not failed since the last success. */
    private @Nullable Long answersBefore;

    private int own;

    /**
     * Notes a failure.
     *
     * @param answers how many answers the registry has given so far, whatever it was asked for
     * @return whether the failure is the service's own: the registry has answered for something else between its failures
     */
    boolean isOwn(long answers) {
        if (own > 0 || answersBefore != null && answers > answersBefore) {
            own++;
        }
        answersBefore = answers;
        return own > 0;
    }

    /** How many failures of its own there were in a row. */
    int own() {
        return own;
    }

    void clear() {
        answersBefore = null;
        own = 0;
    }
}
