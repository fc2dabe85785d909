package io.rollcall.concurrency;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of limits that cannot work, since the web server runs out of threads first and queues what is beyond. */
final class ThreadCheck {

    private static final Logger logger = LoggerFactory.getLogger(ThreadCheck.class);

    private ThreadCheck() {}

    static void check(Admission admission, RequestThreads threads) {
        long highest = admission.requestGates().stream()
                .mapToLong(gate -> gate.limiter().highestLimit())
                .sum();
        if (highest >= threads.max()) {
            logger.warn(
                    "A concurrency limit of {} is not below {} = {}: requests that wait for a thread are queued by the web"
                            + " server and never refused. Lower the limit, raise the threads, or use virtual threads.",
                    highest,
                    threads.property(),
                    threads.max());
        }
    }
}
