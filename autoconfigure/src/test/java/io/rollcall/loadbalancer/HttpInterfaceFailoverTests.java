package io.rollcall.loadbalancer;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.HttpStatusCodeException;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.registry.ImportHttpServices;

class HttpInterfaceFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) {
        Service service = context.getBean(Service.class);
        try {
            ResponseEntity<String> response = body == null ? service.get() : service.post(body);
            return new Answer(response.getStatusCode().value(), response.getBody(), null);
        } catch (HttpStatusCodeException ex) {
            return new Answer(
                    ex.getStatusCode().value(),
                    ex.getResponseBodyAsString(),
                    ex.getResponseHeaders().getFirst("Retry-After"));
        }
    }

    interface Service {

        @GetExchange("/x")
        ResponseEntity<String> get();

        @PostExchange(url = "/x", contentType = "text/plain")
        ResponseEntity<String> post(@RequestBody String body);
    }

    @Configuration(proxyBeanMethods = false)
    @BlockingClients
    @ImportHttpServices(group = "svc", types = Service.class)
    static class Application {}
}
