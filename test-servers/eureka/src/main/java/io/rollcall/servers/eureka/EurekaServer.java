package io.rollcall.servers.eureka;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;

/** A stock Eureka server, set up by {@code application.properties} for tests: alone, and quick to notice who is gone. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableEurekaServer
public class EurekaServer {

    public static void main(String[] arguments) {
        SpringApplication.run(EurekaServer.class, arguments);
    }
}
