package io.rollcall.sample.own;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A registry of one's own: a shared folder with a folder for each service and a file for each instance, which holds its host and
 * port. An instance is alive as long as its file is rewritten.
 */
final class FolderRegistry implements Registrar, Resolver {

    private static final Duration TTL = Duration.ofSeconds(15);

    private final Path root;

    FolderRegistry(Path root) {
        this.root = root;
    }

    @Override
    public void join(Instance instance) throws IOException {
        Path folder = Files.createDirectories(root.resolve(instance.service()));
        // Written beside and moved, so that no reader sees half a file.
        Path written = Files.writeString(folder.resolve("." + instance.id()), instance.host() + " " + instance.port());
        Files.move(
                written,
                folder.resolve(instance.id()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void leave(Instance instance) throws IOException {
        Files.deleteIfExists(root.resolve(instance.service()).resolve(instance.id()));
    }

    @Override
    public Listing lookup(String service) throws IOException {
        List<Instance> instances = new ArrayList<>();
        Path folder = root.resolve(service);
        if (Files.isDirectory(folder)) {
            for (Path file : list(folder)) {
                if (isAlive(file)) {
                    String[] address = Files.readString(file).split(" ");
                    instances.add(new Instance(
                            file.getFileName().toString(),
                            service,
                            address[0],
                            Integer.parseInt(address[1]),
                            false,
                            Map.of()));
                }
            }
        }
        // Nobody announces a change: what was read is good for a second.
        return new Listing(instances, Set.of(), List.of(), "", Duration.ofSeconds(1));
    }

    @Override
    public Set<String> services() throws IOException {
        return list(root).stream()
                .map(folder -> folder.getFileName().toString())
                .collect(Collectors.toSet());
    }

    @Override
    public Watch watch(String service, WatchListener listener) {
        return () -> {};
    }

    private static boolean isAlive(Path file) throws IOException {
        FileTime renewed = Files.getLastModifiedTime(file);
        return renewed.toInstant().plus(TTL).isAfter(Instant.now());
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }
}
