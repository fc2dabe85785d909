package io.rollcall.discovery;

import io.rollcall.worker.Backoff;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Whether one registry answers look-ups, and what is logged of it: a line when it ceases to, and one when it does again. Not thread-safe. */
final class Answers {

    private static final Log logger = LogFactory.getLog(Answers.class);

    private final String registry;

    private final Backoff backoff;

    private long count;

    private int failures;

    /**
     * @param registry the registry's name
     * @param backoff how long to wait after failures
     */
    Answers(String registry, Backoff backoff) {
        this.registry = registry;
        this.backoff = backoff;
    }

    /** How many there were so far. */
    long count() {
        return count;
    }

    /** How often in a row the registry has failed. */
    int failures() {
        return failures;
    }

    /** How long to wait before it is asked again. */
    Duration pause() {
        return failures == 0 ? Duration.ZERO : backoff.delay(failures, ThreadLocalRandom.current());
    }

    /** It has answered, and will be asked again at once; says whether it did not before. */
    private boolean succeeded() {
        count++;
        boolean failed = failures > 0;
        if (failed) {
            logger.info("Registry " + registry + " answers look-ups again");
            failures = 0;
        }
        return failed;
    }

    /** It has not answered; says whether that is new. */
    boolean failed(Exception failure) {
        failures++;
        if (failures == 1) {
            logger.warn("Registry " + registry + " does not answer look-ups; its last lists stay in use: " + failure);
        }
        logger.debug("Failure " + failures + " of registry " + registry, failure);
        return failures == 1;
    }

    /** It has answered for a service; says whether it answers again. */
    boolean succeeded(String service, Failures its) {
        if (its.own() > 0) {
            logger.info("Registry " + registry + " answers for " + service + " again");
        }
        its.clear();
        return succeeded();
    }

    /** It has not answered for a service; says whether that is a failure of the service's own, since it answers for others. */
    boolean failedAlone(String service, Failures its, Exception failure) {
        if (!its.isOwn(count)) {
            return false;
        }
        if (its.own() == 1) {
            logger.warn("Registry " + registry + " answers, but not for " + service
                    + "; its last list of it stays in use: " + failure);
        }
        logger.debug("Failure " + its.own() + " of " + service + " in registry " + registry, failure);
        return true;
    }

    /** It has named the services; says whether it answers again. */
    boolean named(Set<String> names) {
        // A registry that has no names need not have been asked for them.
        return (!names.isEmpty() || failures == 0) && succeeded();
    }

    /** It has not named the services; that is worth a line of its own only if it answers otherwise. */
    void namedNothing(NamesReading naming, Exception failure) {
        if (failures == 0 && !naming.told) {
            naming.told = true;
            logger.warn("Registry " + registry + " does not name its services; the names known last stay in use: "
                    + failure);
        }
        logger.debug("Failure " + naming.failures + " of the names in registry " + registry, failure);
    }
}
