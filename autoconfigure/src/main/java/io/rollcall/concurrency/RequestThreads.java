package io.rollcall.concurrency;

/**
 * The threads that the web server handles requests on. While all are busy further requests wait in the server, where no
 * filter sees them.
 *
 * @param max how many there are at most
 * @param property what sets that
 */
record RequestThreads(int max, String property) {}
