package io.rollcall.container;

import io.rollcall.servers.ServerProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Class paths of applications that have less on it than the tests: by default what an application with Spring MVC, Actuator and the clients
 * of all registries but Nacos has.
 *
 * @param entries directories and jars
 */
record ClassPath(List<Path> entries) {

    private static final List<String> OF_TESTS_ALONE = List.of(
            "archunit",
            "assertj",
            "byte-buddy",
            "concurrency-limits",
            "curator-test",
            "curator-x-discovery",
            "embedded-redis",
            "eureka-client",
            "feign",
            "hibernate-validator",
            "junit",
            "mockito",
            "nacos",
            "resilience4j-micrometer",
            "spring-boot-jackson2",
            "spring-boot-starter-test",
            "spring-boot-test",
            "spring-boot-starter-validation",
            "spring-boot-validation",
            "spring-cloud-consul",
            "spring-cloud-gateway",
            "spring-cloud-netflix",
            "spring-cloud-openfeign",
            "spring-cloud-starter-consul",
            "spring-cloud-starter-netflix",
            "spring-cloud-starter-openfeign",
            "spring-cloud-starter-zookeeper",
            "spring-cloud-zookeeper",
            "spring-test");

    static ClassPath ofApplication() {
        return ofTests().without(OF_TESTS_ALONE);
    }

    static ClassPath ofTests() {
        return new ClassPath(Stream.of(ServerProcess.testClassPath().split(File.pathSeparator))
                .map(Path::of)
                .toList());
    }

    /** Without jars whose names begin so. */
    ClassPath without(List<String> names) {
        return new ClassPath(entries.stream()
                .filter(entry -> names.stream()
                        .noneMatch(name -> entry.getFileName().toString().startsWith(name)))
                .toList());
    }

    /** Jars whose names begin so, and nothing else. */
    ClassPath only(List<String> names) {
        return new ClassPath(entries.stream()
                .filter(entry -> names.stream()
                        .anyMatch(name -> entry.getFileName().toString().startsWith(name)))
                .toList());
    }

    /** As {@code java -cp} wants it. */
    @Override
    public String toString() {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
