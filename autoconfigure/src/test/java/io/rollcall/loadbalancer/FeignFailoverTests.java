package io.rollcall.loadbalancer;

import feign.Response;
import feign.Util;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignAutoConfiguration;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.cloud.openfeign.loadbalancer.FeignLoadBalancerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

class FeignFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) throws IOException {
        Service service = context.getBean(Service.class);
        try (Response response = body == null ? service.get() : service.post(body)) {
            Collection<String> retryAfter = response.headers().get("Retry-After");
            return new Answer(
                    response.status(),
                    Util.toString(response.body().asReader(StandardCharsets.UTF_8)),
                    retryAfter != null ? retryAfter.iterator().next() : null);
        }
    }

    @FeignClient("svc")
    interface Service {

        @GetMapping("/x")
        Response get();

        @PostMapping(path = "/x", consumes = "text/plain")
        Response post(@RequestBody String body);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableFeignClients(clients = Service.class)
    @ImportAutoConfiguration({
        RollcallLoadBalancerAutoConfiguration.class,
        LoadBalancerAutoConfiguration.class,
        BlockingLoadBalancerClientAutoConfiguration.class,
        FeignLoadBalancerAutoConfiguration.class,
        FeignAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class
    })
    static class Application {}
}
