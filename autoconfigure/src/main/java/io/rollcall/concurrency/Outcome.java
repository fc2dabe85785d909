package io.rollcall.concurrency;

/** How an admitted request ended, for a limit that learns from it. */
enum Outcome {

    /** Answered, with any status below 500. */
    ANSWERED,

    /** Ended in an exception or a status of 500 and above: possibly quick, and no measure of the server's speed. */
    FAILED,

    /** An asynchronous request ran into its time-out. */
    TIMED_OUT,

    /** The client went away first. */
    ABANDONED
}
