package io.rollcall.sample.provider;

import io.rollcall.sample.Greeting;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Says which instance answers. */
@RestController
@Profile("provider")
class GreetingController {

    private final Registration registration;

    GreetingController(Registration registration) {
        this.registration = registration;
    }

    @GetMapping("/greeting")
    Greeting greeting() {
        return new Greeting(
                "Hello",
                String.valueOf(registration.getInstanceId()),
                registration.getUri().getAuthority());
    }
}
