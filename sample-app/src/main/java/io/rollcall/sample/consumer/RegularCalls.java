package io.rollcall.sample.consumer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Profile;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;

/** Makes calls all the time, so that there is something to see, and sums them up. */
@Component
@Profile("consumer")
class RegularCalls {

    private static final Logger logger = LoggerFactory.getLogger(RegularCalls.class);

    private final GreeterClient greeter;

    private final CallLog log;

    private long summedUp;

    RegularCalls(GreeterClient greeter, CallLog log) {
        this.greeter = greeter;
        this.log = log;
    }

    @Scheduled(fixedRateString = "${sample.call-interval}")
    void call() {
        try {
            greeter.greet();
        } catch (RestClientException | IllegalStateException ex) {
            logger.warn(
                    "a call failed: {}",
                    NestedExceptionUtils.getMostSpecificCause(ex).toString());
        }
    }

    @Scheduled(fixedRateString = "${sample.summary-interval}", initialDelayString = "${sample.summary-interval}")
    void sumUp() {
        List<Call> calls = log.after(summedUp);
        if (calls.isEmpty()) {
            return;
        }
        summedUp = calls.get(calls.size() - 1).number();
        Map<String, Long> answers = calls.stream()
                .collect(Collectors.groupingBy(
                        call -> call.instance() == null ? "failed" : call.instance(),
                        TreeMap::new,
                        Collectors.counting()));
        logger.info("{} calls: {}", calls.size(), answers);
    }
}
