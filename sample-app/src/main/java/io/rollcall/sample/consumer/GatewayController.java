package io.rollcall.sample.consumer;

import io.rollcall.sample.Greeting;
import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClientException;

/** Passes requests on to a greeter, and tells the page which calls were made. */
@RestController
@Profile("consumer")
class GatewayController {

    private final GreeterClient greeter;

    private final CallLog log;

    GatewayController(GreeterClient greeter, CallLog log) {
        this.greeter = greeter;
        this.log = log;
    }

    @GetMapping("/greeting")
    Greeting greeting() {
        return greeter.greet();
    }

    @GetMapping("/calls")
    List<Call> calls(@RequestParam(defaultValue = "0") long after) {
        return log.after(after);
    }

    @ExceptionHandler({RestClientException.class, IllegalStateException.class})
    @ResponseStatus(HttpStatus.BAD_GATEWAY)
    String noAnswer(RuntimeException ex) {
        return "No greeter answered: " + NestedExceptionUtils.getMostSpecificCause(ex) + System.lineSeparator();
    }
}
