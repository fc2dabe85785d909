package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** Changes the limits that there are when a refresh of the configuration sets others. */
final class LimitRefresh implements ApplicationListener<EnvironmentChangeEvent> {

    private static final Logger logger = LoggerFactory.getLogger(LimitRefresh.class);

    private final Environment environment;
    private final Admission admission;
    private final LimiterFactory limiters;
    private final @Nullable RequestThreads threads;
    private Map<String, MaxConcurrency> configured;

    LimitRefresh(
            Environment environment, Admission admission, LimiterFactory limiters, @Nullable RequestThreads threads) {
        this.environment = environment;
        this.admission = admission;
        this.limiters = limiters;
        this.threads = threads;
        configured = read();
    }

    private Map<String, MaxConcurrency> read() {
        return AdmissionFactory.limits(Binder.get(environment).bindOrCreate("rollcall", ConcurrencyProperties.class));
    }

    @Override
    public synchronized void onApplicationEvent(EnvironmentChangeEvent event) {
        try {
            Map<String, MaxConcurrency> now = read();
            if (!now.equals(configured)) {
                admission.requestGates().forEach(gate -> change(gate, now.get(gate.name())));
                configured = now;
                if (threads != null) {
                    ThreadCheck.check(admission, threads);
                }
            }
        } catch (BindException | InvalidConfigurationException ex) {
            logger.error("The refreshed concurrency limits are not used, since one is invalid", ex);
        }
    }

    private void change(Gate gate, @Nullable MaxConcurrency max) {
        if (Objects.equals(max, configured.get(gate.name()))) {
            return;
        }
        if (max == null) {
            logger.warn(
                    "The concurrency limit '{}' was removed from the configuration; it is kept until the next start",
                    gate.name());
            return;
        }
        gate.limitBy(limiters.create(AdmissionFactory.bulkhead(gate.name()), max));
        logger.info("The concurrency limit '{}' is now {}", gate.name(), max);
    }
}
