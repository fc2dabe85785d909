package io.rollcall.sample.demo;

import io.rollcall.registration.RegistrationStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What the page shows of the demonstration, and its buttons. */
@RestController
@RequestMapping("/demo")
@Profile("demo")
class DemoController {

    private final Demo demo;

    DemoController(Demo demo) {
        this.demo = demo;
    }

    record State(List<RegistryState> registries, List<ProviderState> providers) {}

    record RegistryState(String name, String url, boolean running) {}

    record ProviderState(String id, @Nullable String address, Map<String, RegistrationStatus> registrations) {}

    @GetMapping
    State state() {
        return new State(
                demo.registries().stream()
                        .map(registry -> new RegistryState(registry.name(), registry.url(), registry.isRunning()))
                        .toList(),
                demo.providers().stream()
                        .map(provider -> new ProviderState(provider.id(), provider.address(), provider.registrations()))
                        .toList());
    }

    @PostMapping("/providers/{id}/start")
    void startProvider(@PathVariable String id) {
        demo.provider(id).start();
    }

    @PostMapping("/providers/{id}/stop")
    void stopProvider(@PathVariable String id) {
        demo.provider(id).stop();
    }

    @PostMapping("/registries/{name}/start")
    void startRegistry(@PathVariable String name) throws IOException {
        demo.registry(name).start();
    }

    @PostMapping("/registries/{name}/stop")
    void stopRegistry(@PathVariable String name) {
        demo.registry(name).stop();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    @Nullable
    String unknown(NoSuchElementException ex) {
        return ex.getMessage();
    }
}
