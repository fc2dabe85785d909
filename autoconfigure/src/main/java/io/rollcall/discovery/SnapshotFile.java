package io.rollcall.discovery;

import io.rollcall.InvalidConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One application's last known lists on disk. The file is only ever replaced as a whole, so that any process that reads it, at any time, finds
 * an old one or a new one; and only its owner may read it, where the file system has such rights. Never fails: what can not be
 * read or written is told in the log, once. Used by one thread at a time.
 */
final class SnapshotFile {

    static final String PROPERTY = "rollcall.discovery.snapshot.directory";

    private static final Log logger = LogFactory.getLog(SnapshotFile.class);

    private static final String SUFFIX = ".snapshot";

    private static final String UNFINISHED = ".tmp";

    /** Nobody takes so long to write; whoever began it was killed. */
    private static final Duration LEFT_BEHIND = Duration.ofMinutes(1);

    private final Path directory;

    private final String application;

    private final Path file;

    private final SnapshotFormat format = new SnapshotFormat();

    private boolean unreadable;

    private boolean unwritable;

    /**
     * @param directory where it lies; may be shared with other applications
     * @param application whose it is
     */
    SnapshotFile(Path directory, String application) {
        this.directory = directory;
        this.application = application;
        this.file = directory.resolve(name(application) + SUFFIX);
    }

    /** Readable, fit for every file system, and another for every application. */
    private static String name(String application) {
        CRC32C crc = new CRC32C();
        crc.update(application.getBytes(StandardCharsets.UTF_8));
        String readable = application.replaceAll("[^A-Za-z0-9_-]", "_");
        return String.format("%.64s-%08x", readable, crc.getValue());
    }

    Path path() {
        return file;
    }

    /**
     * Makes the directory if need be.
     *
     * @throws InvalidConfigurationException if something else is there
     */
    void prepare(Clock clock) {
        for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path) && !Files.isDirectory(path)) {
                throw new InvalidConfigurationException(
                        PROPERTY,
                        directory.toString(),
                        (path.equals(directory.toAbsolutePath()) ? "it" : path.toString()) + " is not a directory",
                        "Name a directory, which need not exist yet, or remove the property.");
            }
        }
        try {
            Files.createDirectories(directory);
            removeUnfinished(clock);
        } catch (IOException ex) {
            failedToWrite(ex);
        }
    }

    private void removeUnfinished(Clock clock) throws IOException {
        FileTime limit = FileTime.from(clock.instant().minus(LEFT_BEHIND));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, name(application) + "*" + UNFINISHED)) {
            for (Path unfinished : files) {
                if (Files.getLastModifiedTime(unfinished, LinkOption.NOFOLLOW_LINKS)
                                .compareTo(limit)
                        < 0) {
                    Files.deleteIfExists(unfinished);
                }
            }
        }
    }

    /** The lists, or none if there is no file that can be understood. */
    List<KnownList> read() {
        try (InputStream input = Files.newInputStream(file)) {
            byte[] data = input.readNBytes(SnapshotFormat.MAX_BYTES + 1);
            if (data.length > SnapshotFormat.MAX_BYTES) {
                throw new IllegalArgumentException("it is longer than " + SnapshotFormat.MAX_BYTES + " bytes");
            }
            List<KnownList> lists = format.read(application, data);
            unreadable = false;
            return lists;
        } catch (NoSuchFileException ex) {
            return List.of();
        } catch (IOException | IllegalArgumentException ex) {
            if (!unreadable) {
                unreadable = true;
                logger.warn(
                        "Ignoring the snapshot " + file + ": " + (ex instanceof IOException ? ex : ex.getMessage()));
            }
            return List.of();
        }
    }

    /** Replaces the lists. */
    void write(Collection<KnownList> lists) {
        try {
            Files.createDirectories(directory);
            replace(format.write(application, lists));
            if (unwritable) {
                unwritable = false;
                logger.info("The snapshot " + file + " can be written again");
            }
        } catch (IOException ex) {
            failedToWrite(ex);
        }
    }

    private void failedToWrite(IOException failure) {
        if (!unwritable) {
            unwritable = true;
            logger.warn("Can not write the snapshot " + file + "; it is tried again: " + failure);
        }
    }

    private void replace(byte[] data) throws IOException {
        // Made for its owner only, and with a name of its own: another process may be doing the same.
        Path unfinished = Files.createTempFile(directory, name(application), UNFINISHED);
        try {
            try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(data);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                // Otherwise a crash of the machine could leave the new name with old, or no, content.
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
