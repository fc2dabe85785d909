package io.rollcall.registry.eureka;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.client.CommonsClientAutoConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistrationAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaClientAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaDiscoveryClient;
import org.springframework.cloud.netflix.eureka.EurekaDiscoveryClientConfiguration;
import org.springframework.cloud.netflix.eureka.config.DiscoveryClientOptionalArgsConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** The stock Spring Cloud Netflix client, with its own beans, as another application runs it: it registers and looks up. */
final class StockSpringCloud implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    StockSpringCloud(String url, String name, String... more) {
        context = new SpringApplicationBuilder(Stock.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "rollcall.enabled=false",
                        "spring.application.name=" + name,
                        "eureka.client.service-url.defaultZone=" + url,
                        "eureka.client.registry-fetch-interval-seconds=1",
                        "eureka.client.initial-instance-info-replication-interval-seconds=0",
                        "eureka.instance.hostname=10.0.0.1",
                        "eureka.instance.non-secure-port=8080",
                        "eureka.instance.instance-id=" + name + "-stock",
                        "eureka.instance.metadata-map.zone=b",
                        "logging.level.root=warn")
                .properties(more)
                .run();
    }

    List<ServiceInstance> instances(String service) {
        return context.getBean(EurekaDiscoveryClient.class).getInstances(service);
    }

    List<String> services() {
        return context.getBean(EurekaDiscoveryClient.class).getServices();
    }

    /** What it tells the server about itself. */
    InstanceInfo info() {
        return context.getBean(ApplicationInfoManager.class).getInfo();
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration
    @ImportAutoConfiguration({
        UtilAutoConfiguration.class,
        RefreshAutoConfiguration.class,
        CommonsClientAutoConfiguration.class,
        AutoServiceRegistrationAutoConfiguration.class,
        DiscoveryClientOptionalArgsConfiguration.class,
        EurekaClientAutoConfiguration.class,
        EurekaDiscoveryClientConfiguration.class
    })
    static class Stock {}
}
