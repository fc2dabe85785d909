package io.rollcall.loadbalancer;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.service.registry.HttpServiceGroup;
import org.springframework.web.service.registry.ImportHttpServices;

class HttpInterfaceOverWebClientFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) {
        HttpInterfaceFailoverTests.Service service = context.getBean(HttpInterfaceFailoverTests.Service.class);
        try {
            ResponseEntity<String> response = body == null ? service.get() : service.post(body);
            return new Answer(response.getStatusCode().value(), response.getBody(), null);
        } catch (WebClientResponseException ex) {
            return new Answer(
                    ex.getStatusCode().value(),
                    ex.getResponseBodyAsString(),
                    ex.getHeaders().getFirst("Retry-After"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebClientFailoverTests.ReactiveClients
    @ImportHttpServices(
            group = "svc",
            types = HttpInterfaceFailoverTests.Service.class,
            clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
    static class Application {}
}
