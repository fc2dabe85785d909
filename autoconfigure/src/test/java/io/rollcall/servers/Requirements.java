package io.rollcall.servers;

import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
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

    /**
     * The {@code java} of another JDK, of those under {@code /usr/lib/jvm} or the one that {@code JAVA_<version>_HOME} names.
     *
     * @param version its feature version
     */
    public static Path jdk(int version) {
        String home = System.getenv("JAVA_" + version + "_HOME");
        Path java = home != null ? Path.of(home, "bin", "java") : installed(version);
        return java != null && Files.isExecutable(java)
                ? java
                : missing("JDK " + version + " is missing: set JAVA_" + version + "_HOME");
    }

    private static Path installed(int version) {
        try (Stream<Path> jdks = Files.list(Path.of("/usr/lib/jvm"))) {
            return jdks.filter(jdk -> jdk.getFileName().toString().matches(".*\\D" + version + "\\D.*"))
                    .map(jdk -> jdk.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElse(null);
        } catch (IOException ex) {
            return null;
        }
    }

    private static <T> T missing(String message) {
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            return fail(message);
        }
        throw new TestAbortedException(message);
    }
}
