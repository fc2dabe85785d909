package io.rollcall.sample;

import io.rollcall.sample.demo.Demo;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Runs as {@code --spring.profiles.active=provider} or {@code =consumer} says; otherwise runs the demonstration. */
@SpringBootApplication
public class SampleApplication {

    /** Starts the application, or the demonstration if the arguments and the environment name no profile. */
    public static void main(String[] args) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        if (environment.getActiveProfiles().length > 0) {
            SpringApplication.run(SampleApplication.class, args);
        } else {
            Demo demo = new Demo(args);
            Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-shutdown"));
            demo.start();
        }
    }
}
