package io.rollcall.loadbalancer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Logs what is set aside of one service and what comes back, no more than some lines a minute. Guarded by its {@link Outliers}. */
final class OutlierLog {

    private static final Log logger = LogFactory.getLog(OutlierLog.class);

    private static final int LINES = 10;

    private static final long PERIOD = TimeUnit.MINUTES.toNanos(1);

    private final String serviceId;

    private final LongSupplier nanoClock;

    private long periodBegan;

    private int lines;

    OutlierLog(String serviceId, LongSupplier nanoClock) {
        this.serviceId = serviceId;
        this.nanoClock = nanoClock;
        periodBegan = nanoClock.getAsLong();
    }

    void setAside(Address address, Verdict verdict) {
        log("Setting aside " + address + " of " + serviceId + ": "
                + (verdict == Verdict.UNREACHABLE ? "it can not be reached" : "it failed several times in a row"));
    }

    void keptInUse(Address address) {
        log("Not setting aside " + address + " of " + serviceId
                + ", though it failed several times in a row: half of the list stays in use");
    }

    void readmitted(Address address, String reason) {
        log("Not setting aside " + address + " of " + serviceId + " any more: " + reason);
    }

    private void log(String line) {
        long now = nanoClock.getAsLong();
        if (now - periodBegan > PERIOD) {
            periodBegan = now;
            lines = 0;
        }
        lines++;
        if (lines < LINES) {
            logger.info(line);
        } else if (lines == LINES) {
            logger.info(line + " (more of this service for a minute at level debug)");
        } else {
            logger.debug(line);
        }
    }
}
