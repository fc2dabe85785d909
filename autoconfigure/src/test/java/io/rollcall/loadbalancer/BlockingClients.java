package io.rollcall.loadbalancer;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.service.HttpServiceClientPropertiesAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.service.HttpServiceClientAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;

/** What an application with blocking clients has. */
@ImportAutoConfiguration({
    RollcallLoadBalancerAutoConfiguration.class,
    org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration.class,
    BlockingLoadBalancerClientAutoConfiguration.class,
    LoadBalancerAutoConfiguration.class,
    HttpClientAutoConfiguration.class,
    ImperativeHttpClientAutoConfiguration.class,
    RestClientAutoConfiguration.class,
    RestTemplateAutoConfiguration.class,
    HttpServiceClientPropertiesAutoConfiguration.class,
    HttpServiceClientAutoConfiguration.class
})
@Retention(RetentionPolicy.RUNTIME)
@interface BlockingClients {}
