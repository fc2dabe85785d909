package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Lists as bytes and back. Lines of JSON: the first says what follows, how many bytes that is and their CRC-32C (RFC 3720); then comes a
 * line for each list, and after it one for each of its instances. What is read is checked as a registry's records are, since it is
 * just as untrusted. Thread-safe.
 */
final class SnapshotFormat {

    /** Nothing longer is written or read. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    static final int VERSION = 1;

    private static final String FORMAT = "rollcall-snapshot";

    private static final int MAX_HEADER = 4096;

    private final Json json = new Json();

    /**
     * Writes the lists, each as a whole, as long as there is room.
     *
     * @param application whose they are
     */
    byte[] write(String application, Collection<KnownList> lists) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (KnownList list : lists) {
            byte[] lines = lines(list);
            if (body.size() + lines.length <= MAX_BYTES - MAX_HEADER) {
                body.writeBytes(lines);
            }
        }
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("format", FORMAT);
        header.put("version", VERSION);
        header.put("application", application);
        header.put("bytes", body.size());
        header.put("crc32c", checksum(body.toByteArray()));
        ByteArrayOutputStream all = new ByteArrayOutputStream(body.size() + MAX_HEADER);
        all.writeBytes(line(header));
        all.writeBytes(body.toByteArray());
        return all.toByteArray();
    }

    private byte[] lines(KnownList list) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("service", list.service());
        head.put("registry", list.registry());
        head.put("url", list.url());
        head.put("asOf", list.asOf().toString());
        lines.writeBytes(line(head));
        for (Instance instance : list.instances()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("id", instance.id());
            fields.put("host", instance.host());
            fields.put("port", instance.port());
            fields.put("secure", instance.secure());
            fields.put("metadata", instance.metadata());
            byte[] line = line(fields);
            if (line.length <= Json.MAX_BYTES) {
                lines.writeBytes(line);
            }
        }
        return lines.toByteArray();
    }

    private byte[] line(Map<String, Object> object) {
        return (json.write(object) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IllegalArgumentException if it is anything else, or damaged
     */
    List<KnownList> read(String application, byte[] data) {
        int end = endOfLine(data, 0);
        byte[] body = Arrays.copyOfRange(data, Math.min(end + 1, data.length), data.length);
        checkHeader(json.readObject(Arrays.copyOfRange(data, 0, end), MAX_HEADER), application, body);
        return readBody(body);
    }

    private static void checkHeader(Map<String, Object> header, String application, byte[] body) {
        if (!FORMAT.equals(header.get("format"))) {
            throw new IllegalArgumentException("it is no snapshot of Rollcall's");
        }
        if (!Integer.valueOf(VERSION).equals(Json.integer(header, "version"))) {
            throw new IllegalArgumentException("it is of version " + header.get("version") + ", not " + VERSION);
        }
        if (!application.equals(header.get("application"))) {
            throw new IllegalArgumentException("it is another application's");
        }
        if (!Integer.valueOf(body.length).equals(Json.integer(header, "bytes"))) {
            throw new IllegalArgumentException("it has not the length that it says");
        }
        if (!checksum(body).equals(header.get("crc32c"))) {
            throw new IllegalArgumentException("it has not the checksum that it says");
        }
    }

    private List<KnownList> readBody(byte[] body) {
        Map<KnownList, List<Instance>> lists = new LinkedHashMap<>();
        KnownList list = null;
        int end;
        for (int start = 0; start < body.length; start = end + 1) {
            end = endOfLine(body, start);
            Map<String, Object> line = json.readObject(Arrays.copyOfRange(body, start, end));
            if (line.containsKey("service")) {
                list = emptyList(line);
                lists.put(list, new ArrayList<>());
            } else if (list != null) {
                lists.getOrDefault(list, new ArrayList<>()).add(instance(list.service(), line));
            }
        }
        return lists.entrySet().stream()
                .map(read -> read.getKey().with(read.getValue()))
                .toList();
    }

    private static KnownList emptyList(Map<String, Object> line) {
        try {
            return new KnownList(
                    required(line, "service"),
                    required(line, "registry"),
                    required(line, "url"),
                    Instant.parse(required(line, "asOf")),
                    List.of());
        } catch (DateTimeException ex) {
            throw new IllegalArgumentException("asOf is no time", ex);
        }
    }

    private static Instance instance(String service, Map<String, Object> line) {
        Map<String, String> metadata = new LinkedHashMap<>();
        if (line.get("metadata") instanceof Map<?, ?> map) {
            map.forEach((key, value) -> metadata.put(String.valueOf(key), String.valueOf(value)));
        }
        Integer port = Json.integer(line, "port");
        return new Instance(
                required(line, "id"),
                service,
                required(line, "host"),
                port == null ? 0 : port,
                Boolean.parseBoolean(Json.text(line, "secure")),
                metadata);
    }

    private static String required(Map<String, Object> line, String key) {
        String text = Json.text(line, key);
        if (text == null) {
            throw new IllegalArgumentException("it has a line without " + key);
        }
        return text;
    }

    private static int endOfLine(byte[] data, int start) {
        int end = start;
        while (end < data.length && data[end] != '\n') {
            end++;
        }
        return end;
    }

    private static String checksum(byte[] data) {
        CRC32C crc = new CRC32C();
        crc.update(data);
        return String.format("%08x", crc.getValue());
    }
}
