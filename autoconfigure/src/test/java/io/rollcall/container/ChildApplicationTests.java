package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.endtoend.AllServers;
import io.rollcall.servers.Requirements;
import io.rollcall.servers.ServerProcess;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/** Applications in processes of their own register, find themselves, limit and leave, whatever they run on. */
@Tag("resilience")
class ChildApplicationTests {

    private static final List<String> REGISTRIES = List.of("redis", "zookeeper", "etcd", "consul");

    private static Observer observer;

    private final String name = TestApplication.unique("orders-");

    @BeforeAll
    static void start() {
        observer = new Observer(AllServers.properties(REGISTRIES));
    }

    @AfterAll
    static void stop() {
        observer.close();
    }

    private List<String> properties(String... more) {
        List<String> properties = new ArrayList<>(AllServers.properties(REGISTRIES));
        properties.addAll(List.of(more));
        return properties;
    }

    private void assertRegistersAndFinds(Child child) throws Exception {
        // What Consul asks for later, and would then not list it any more.
        assertThat(child.get("/actuator/health").body()).contains("UP");
        await().atMost(Duration.ofSeconds(120))
                .until(() -> child.get("/found").body().contains("in " + REGISTRIES));
        assertThat(observer.listed(name).values())
                .allSatisfy(instances -> assertThat(instances)
                        .singleElement()
                        .satisfies(instance -> assertThat(instance.port()).isEqualTo(child.port())));
    }

    private static void assertLimits(Child child, int limit) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            held.add(child.getLater("/hold"));
        }
        await().atMost(Duration.ofSeconds(120)).until(() -> child.get("/thread").statusCode() == 503);
        // Again and again, since one that has its permit may not have got to where it is held yet.
        await().atMost(Duration.ofSeconds(120)).until(() -> {
            child.get("/exempt/release");
            return held.stream().allMatch(CompletableFuture::isDone);
        });
        for (CompletableFuture<HttpResponse<String>> answer : held) {
            assertThat(answer.get().body()).isEqualTo("held");
        }
        await().atMost(Duration.ofSeconds(120)).until(() -> child.get("/thread").statusCode() == 200);
    }

    private void assertCanBeTakenOutAndPutBack(Child child) throws Exception {
        assertThat(child.get("/actuator/registrations").body()).contains("online", name, "REGISTERED");
        assertThat(child.post("/actuator/registrations", "{\"state\": \"offline\"}")
                        .statusCode())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(120)).until(() -> observer.listsNoneAnywhere(name));
        assertThat(child.post("/actuator/registrations", "{\"state\": \"online\"}")
                        .statusCode())
                .isEqualTo(200);
        assertRegistersAndFinds(child);
    }

    private void assertLeaves(Child child) {
        child.terminate();
        assertThat(observer.listsNoneAnywhere(name)).isTrue();
    }

    @Test
    void registersAndFindsWithOnlyJackson3() throws Exception {
        ClassPath classPath = ClassPath.ofApplication()
                .without(List.of("jackson-core-2", "jackson-databind-2", "jackson-datatype", "gson"));
        try (Child child = new Child(name, classPath.toString(), properties()).start()) {
            assertThat(child.get("/json").body()).isEqualTo("[tools.jackson]");
            assertRegistersAndFinds(child);
            assertLeaves(child);
        }
    }

    /** Which beans there are is decided when it is processed, so that this is told what decides it; what they do, when it starts. */
    @Test
    void worksWhenProcessedAheadOfTimeWithRegistriesNamedAtTheStart() throws Exception {
        List<String> decisive = List.of(
                "management.endpoints.web.exposure.include=health,registrations",
                "management.health.redis.enabled=false");
        Path directory = ServerProcess.directory("aot");
        try {
            String classPath = AheadOfTime.process(
                    directory,
                    ChildApplication.class,
                    ClassPath.ofApplication(),
                    Stream.concat(
                                    decisive.stream(),
                                    Stream.of("spring.application.name=built", "rollcall.max-concurrency=1"))
                            .toList());
            List<String> properties =
                    properties("rollcall.max-concurrency=2", "rollcall.concurrency.exempt-paths=/exempt/**");
            properties.addAll(decisive);
            try (Child child = new Child(name, classPath, properties)
                    .with("-Dspring.aot.enabled=true")
                    .start()) {
                assertThat(child.output()).contains("Starting AOT-processed ChildApplication");
                assertRegistersAndFinds(child);
                assertCanBeTakenOutAndPutBack(child);
                assertLimits(child, 2);
                assertLeaves(child);
            }
        } finally {
            FileSystemUtils.deleteRecursively(directory.toFile());
        }
    }

    @Test
    void worksOnVirtualThreadsOfJava25WithoutPinningAny() throws Exception {
        Path java = Requirements.jdk(25);
        try (Child child = new Child(
                name,
                ClassPath.ofApplication().toString(),
                properties(
                        "spring.threads.virtual.enabled=true",
                        "rollcall.max-concurrency=2",
                        "rollcall.concurrency.exempt-paths=/exempt/**"))) {
            Path recording = child.directory().resolve("pinned.jfr");
            child.on(java)
                    .with("-XX:StartFlightRecording=filename=" + recording + ",jdk.VirtualThreadPinned#threshold=0ms")
                    .start();
            assertThat(child.get("/thread").body()).contains("VirtualThread");
            assertRegistersAndFinds(child);
            assertLimits(child, 2);
            assertLeaves(child);

            assertThat(pinningFrames(pinned(java.resolveSibling("jfr"), recording)))
                    .noneMatch(frame -> frame.startsWith("io.rollcall"));
        }
    }

    /** The innermost frame of each event that is not the JDK's own: filters are on every request's stack, whoever pins its thread. */
    private static List<String> pinningFrames(String events) {
        List<String> frames = new ArrayList<>();
        for (String event : events.split("jdk.VirtualThreadPinned \\{")) {
            event.lines()
                    .dropWhile(line -> !line.contains("stackTrace = ["))
                    .skip(1)
                    .map(String::strip)
                    .filter(line -> !line.matches("(java|javax|jdk|sun)\\..*"))
                    .findFirst()
                    .ifPresent(frames::add);
        }
        return frames;
    }

    private static String pinned(Path jfr, Path recording) throws Exception {
        Process print = new ProcessBuilder(
                        jfr.toString(),
                        "print",
                        "--stack-depth",
                        "64",
                        "--events",
                        "jdk.VirtualThreadPinned",
                        recording.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(print.getInputStream().readAllBytes());
        assertThat(print.waitFor()).as(output).isZero();
        return output;
    }
}
