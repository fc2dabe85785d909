package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.servers.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Processes an application ahead of time, as Spring Boot's build plugins do, and compiles what came of it. */
final class AheadOfTime {

    private AheadOfTime() {}

    /**
     * @param directory an empty one, where the results go
     * @param application its main class
     * @param properties those that are known when it is built
     * @return a class path with the results in front
     */
    static String process(Path directory, Class<?> application, ClassPath classPath, List<String> properties)
            throws IOException, InterruptedException {
        Path sources = Files.createDirectories(directory.resolve("sources"));
        Path resources = Files.createDirectories(directory.resolve("resources"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> all = new ArrayList<>(List.of(
                "org.springframework.boot.SpringApplicationAotProcessor",
                application.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "test",
                "test"));
        properties.forEach(property -> all.add("--" + property));
        Process process = new ProcessBuilder(ServerProcess.java(classPath.toString(), all.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("log")))
                .isZero();
        compile(sources, classes, classPath);
        return String.join(File.pathSeparator, classes.toString(), resources.toString(), classPath.toString());
    }

    private static void compile(Path sources, Path classes, ClassPath classPath) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
