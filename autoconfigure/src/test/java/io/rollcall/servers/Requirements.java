package io.rollcall.servers;

import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/** What a test needs of the machine. In continuous integration a missing thing is a failure; elsewhere the test is skipped and says why. */
public final class Requirements {

    private Requirements() {}

    /**
     * The path of a program.
     *
     * @param name its name
     * @param remedy how to get it
     */
    public static Path program(String name, String remedy) {
        Optional<Path> found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        return found.orElseGet(() -> missing("The program " + name + " is missing: " + remedy));
    }

    /**
     * The class path of a server that the module {@code test-servers/<name>} has collected.
     *
     * @param name the module's name
     */
    public static String serverModule(String name) {
        Path target =
                Path.of("..", "test-servers", name, "target").toAbsolutePath().normalize();
        if (!Files.isDirectory(target.resolve("lib"))) {
            return missing("The server " + name + " is not built: run ./mvnw -q -f test-servers/" + name + " compile");
        }
        return target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*";
    }

    private static <T> T missing(String message) {
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            return fail(message);
        }
        throw new TestAbortedException(message);
    }
}
