package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Instance;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SnapshotFileTests {

    @TempDir
    Path directory;

    private static KnownList list(String service, String registry, int... ports) {
        List<Instance> instances = new ArrayList<>();
        for (int port : ports) {
            instances.add(new Instance(
                    service + "-" + port,
                    service,
                    port % 2 == 0 ? "2001:db8::1" : "10.0.0.1",
                    port,
                    port % 2 == 0,
                    Map.of("zone", "a\n\"\u00e9\u20ac", "weight", "50")));
        }
        return new KnownList(
                service, registry, "redis://10.0.0.1:6379", Instant.parse("2026-01-02T03:04:05Z"), instances);
    }

    private SnapshotFile file(String application) {
        SnapshotFile file = new SnapshotFile(directory, application);
        file.prepare(Clock.systemUTC());
        return file;
    }

    private static int warnings(CapturedOutput output) {
        return (int)
                output.getAll().lines().filter(line -> line.contains("WARN")).count();
    }

    @Test
    void readsWhatItHasWritten(CapturedOutput output) {
        List<KnownList> lists =
                List.of(list("orders", "redis", 1, 2), list("orders", "zk", 2), list("st.ock/\u00e9", "zk", 3));

        file("shop").write(lists);

        assertThat(file("shop").read()).isEqualTo(lists);
        assertThat(warnings(output)).isZero();
    }

    @Test
    void thereIsNothingToSayOfAFileThatIsNotThere(CapturedOutput output) {
        assertThat(file("shop").read()).isEmpty();
        assertThat(warnings(output)).isZero();
    }

    @Test
    void everyByteThatIsDamagedAndEveryByteThatIsMissingIsNoticed() {
        SnapshotFormat format = new SnapshotFormat();
        List<KnownList> lists = List.of(list("orders", "redis", 1));
        byte[] whole = format.write("shop", lists);
        assertThat(format.read("shop", whole)).isEqualTo(lists);

        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            assertIgnored(format, damaged);
            assertIgnored(format, Arrays.copyOf(whole, i));
        }
        assertIgnored(format, Arrays.copyOf(whole, whole.length + 1));
    }

    private static void assertIgnored(SnapshotFormat format, byte[] data) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .as(new String(data, StandardCharsets.ISO_8859_1))
                .isThrownBy(() -> format.read("shop", data));
    }

    @Test
    void aDamagedFileIsIgnoredWithOneWarningThatNamesItAndReplaced(CapturedOutput output) throws IOException {
        SnapshotFile file = file("shop");
        file.write(List.of(list("orders", "redis", 1)));
        byte[] data = Files.readAllBytes(file.path());
        data[data.length - 10] ^= 1;
        Files.write(file.path(), data);

        assertThat(file.read()).isEmpty();
        assertThat(file.read()).isEmpty();
        assertThat(output).contains("Ignoring the snapshot " + file.path() + ": it has not the checksum that it says");
        assertThat(warnings(output)).isOne();

        file.write(List.of(list("stock", "redis", 2)));
        assertThat(file.read()).extracting(KnownList::service).containsExactly("stock");
    }

    @Test
    void aFileOfANewerVersionIsIgnored(CapturedOutput output) throws IOException {
        SnapshotFile file = file("shop");
        file.write(List.of(list("orders", "redis", 1)));
        Files.writeString(file.path(), Files.readString(file.path()).replace("\"version\":1", "\"version\":2"));

        assertThat(file.read()).isEmpty();
        assertThat(output).contains(file.path() + ": it is of version 2, not 1");
    }

    @Test
    void anotherApplicationsFileIsIgnored(CapturedOutput output) throws IOException {
        SnapshotFile other = file("other");
        other.write(List.of(list("orders", "redis", 1)));
        SnapshotFile file = file("shop");
        Files.copy(other.path(), file.path());

        assertThat(file.read()).isEmpty();
        assertThat(output).contains(file.path() + ": it is another application's");
    }

    @Test
    void aFileOfSomethingElseIsIgnored(CapturedOutput output) throws IOException {
        SnapshotFile file = file("shop");
        for (String content : List.of("", "\n", "hello", "{}", "{\"format\":\"x\"}\n", "[1]", "\u0000\u0000")) {
            Files.writeString(file.path(), content);
            assertThat(file.read()).as(content).isEmpty();
        }
        assertThat(warnings(output)).isOne();
    }

    @Test
    void aFileThatIsTooLongIsIgnoredUnread(CapturedOutput output) throws IOException {
        SnapshotFile file = file("shop");
        try (RandomAccessFile access = new RandomAccessFile(file.path().toFile(), "rw")) {
            access.setLength(3L * 1024 * 1024 * 1024);
        }

        assertThat(file.read()).isEmpty();
        assertThat(output).contains(file.path() + ": it is longer than " + SnapshotFormat.MAX_BYTES + " bytes");
    }

    @Test
    void whatDoesNotFitIsLeftOutAsWholeLists() throws IOException {
        Map<String, String> much = Map.of("x", "x".repeat(60_000));
        List<KnownList> lists = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            lists.add(list("service-" + i, "redis", 1)
                    .with(List.of(new Instance("id", "service-" + i, "host", 1, false, much))));
        }
        SnapshotFile file = file("shop");

        file.write(lists);

        assertThat(Files.size(file.path())).isLessThanOrEqualTo(SnapshotFormat.MAX_BYTES);
        List<KnownList> read = file.read();
        assertThat(read).hasSizeBetween(250, 299).isEqualTo(lists.subList(0, read.size()));
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"), "needs POSIX permissions");
        SnapshotFile file = file("shop");

        file.write(List.of(list("orders", "redis", 1)));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
    }

    @Test
    void makesTheDirectoryAndRemovesWhatKilledWritersHaveLeft() throws IOException {
        Path deep = directory.resolve("a/b/c");
        new SnapshotFile(deep, "shop").prepare(Clock.systemUTC());
        SnapshotFile file = new SnapshotFile(deep, "shop");
        file.write(List.of(list("orders", "redis", 1)));
        String name = file.path().getFileName().toString().replace(".snapshot", "");
        Path left = Files.createFile(deep.resolve(name + "123.tmp"));
        Path fresh = Files.createFile(deep.resolve(name + "124.tmp"));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(3600)));

        file.prepare(Clock.systemUTC());

        assertThat(left).doesNotExist();
        assertThat(fresh).exists();
        assertThat(file.read()).hasSize(1);
    }

    @Test
    void aPathThatIsAFileIsAConfigurationError() throws IOException {
        Path plain = Files.createFile(directory.resolve("plain"));

        for (Path path : List.of(plain, plain.resolve("below"))) {
            assertThatExceptionOfType(InvalidConfigurationException.class)
                    .isThrownBy(() -> new SnapshotFile(path, "shop").prepare(Clock.systemUTC()))
                    .satisfies(ex -> {
                        assertThat(ex.getProperty()).isEqualTo("rollcall.discovery.snapshot.directory");
                        assertThat(ex.getValue()).isEqualTo(path.toString());
                        assertThat(ex.getReason()).endsWith("is not a directory");
                    });
        }
    }

    @Test
    void aDirectoryThatCanNotBeMadeIsOneWarning(CapturedOutput output) {
        Path impossible = directory.resolve("x".repeat(300));
        SnapshotFile file = new SnapshotFile(impossible, "shop");

        file.prepare(Clock.systemUTC());
        file.write(List.of(list("orders", "redis", 1)));
        file.write(List.of(list("orders", "redis", 1)));

        assertThat(output).contains("Can not write the snapshot " + file.path());
        assertThat(warnings(output)).isOne();
    }

    @Test
    void aFileThatCanNotBeReplacedIsOneWarningUntilItCan(CapturedOutput output) throws IOException {
        SnapshotFile file = file("shop");
        Path inTheWay = Files.createDirectories(file.path().resolve("x"));

        file.write(List.of(list("orders", "redis", 1)));
        file.write(List.of(list("orders", "redis", 1)));
        assertThat(warnings(output)).isOne();
        Files.delete(inTheWay);
        Files.delete(file.path());
        file.write(List.of(list("orders", "redis", 1)));

        assertThat(output).contains("The snapshot " + file.path() + " can be written again");
        assertThat(file.read()).hasSize(1);
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(file.path());
        }
    }

    @Test
    void applicationsWithNamesThatLookAlikeHaveFilesOfTheirOwn() {
        assertThat(List.of("a/b", "a_b", "a b", "../a", "A_B", "x".repeat(500)))
                .extracting(name -> new SnapshotFile(directory, name)
                        .path()
                        .getFileName()
                        .toString()
                        .toLowerCase())
                .doesNotHaveDuplicates()
                .allSatisfy(
                        name -> assertThat(name).matches("[a-z0-9._-]{1,100}").endsWith(".snapshot"));
        assertThat(new SnapshotFile(directory, "../../a").path().normalize().getParent())
                .isEqualTo(directory.normalize());
    }

    @Test
    void whoReadsWhileOthersWriteFindsAWholeFile(CapturedOutput output) throws Exception {
        file("shop").write(List.of(list("first", "redis", 1)));
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> writing = new ArrayList<>();
        for (int writer = 0; writer < 3; writer++) {
            int number = writer;
            writing.add(threads.submit(() -> {
                SnapshotFile file = new SnapshotFile(directory, "shop");
                for (int i = 0; i < 30; i++) {
                    int[] ports = new int[1 + number * 50 + i];
                    Arrays.fill(ports, 1);
                    file.write(List.of(list("orders", "redis", ports)));
                }
            }));
        }
        SnapshotFile file = new SnapshotFile(directory, "shop");
        boolean done;
        do {
            done = writing.stream().allMatch(Future::isDone);
            assertThat(file.read()).hasSize(1);
        } while (!done);
        for (Future<?> each : writing) {
            each.get();
        }
        threads.shutdown();
        assertThat(warnings(output)).isZero();
    }
}
