package io.rollcall.sample.demo;

import io.rollcall.sample.SampleApplication;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the sample application as often as it is wanted within this JVM. */
final class Launcher {

    private final List<String> arguments;

    /**
     * @param arguments what all of them are given
     */
    Launcher(List<String> arguments) {
        this.arguments = List.copyOf(arguments);
    }

    ConfigurableApplicationContext start(
            List<String> profiles,
            Map<String, Object> defaults,
            ApplicationContextInitializer<ConfigurableApplicationContext> initializer) {
        SpringApplication application = new SpringApplication(SampleApplication.class);
        application.setAdditionalProfiles(profiles.toArray(String[]::new));
        application.setDefaultProperties(defaults);
        application.addInitializers(initializer);
        // The demonstration itself stops them, in its own order.
        application.setRegisterShutdownHook(false);
        return application.run(arguments.toArray(String[]::new));
    }
}
