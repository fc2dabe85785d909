package io.rollcall.sample.consumer;

import io.rollcall.discovery.ServiceChangedEvent;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Prints what has changed as soon as callers see it. */
@Component
@Profile("consumer")
class ChangePrinter {

    private static final Logger logger = LoggerFactory.getLogger(ChangePrinter.class);

    private final DiscoveryClient discovery;

    ChangePrinter(DiscoveryClient discovery) {
        this.discovery = discovery;
    }

    @EventListener
    void changed(ServiceChangedEvent event) {
        List<String> instances = discovery.getInstances(event.getService()).stream()
                .map(ServiceInstance::getInstanceId)
                .sorted()
                .toList();
        logger.info("{} is now {}", event.getService(), instances);
    }
}
