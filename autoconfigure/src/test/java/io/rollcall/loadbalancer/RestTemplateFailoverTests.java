package io.rollcall.loadbalancer;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.HttpStatusCodeException;
import org.springframework.web.client.RestTemplate;

class RestTemplateFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) {
        RestTemplate template = context.getBean(RestTemplate.class);
        try {
            ResponseEntity<String> response = body == null
                    ? template.getForEntity("http://svc/x", String.class)
                    : template.postForEntity("http://svc/x", body, String.class);
            return new Answer(response.getStatusCode().value(), response.getBody(), null);
        } catch (HttpStatusCodeException ex) {
            return new Answer(
                    ex.getStatusCode().value(),
                    ex.getResponseBodyAsString(),
                    ex.getResponseHeaders().getFirst("Retry-After"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @BlockingClients
    static class Application {

        @Bean
        @LoadBalanced
        RestTemplate template() {
            return new RestTemplate();
        }
    }
}
