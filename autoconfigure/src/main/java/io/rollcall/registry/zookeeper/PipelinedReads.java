package io.rollcall.registry.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Reads many nodes in little more than the time of one: hundreds are asked for before the first answer is waited for. */
final class PipelinedReads {

    private static final String FORBIDDEN = "no permission to read it";

    /** Of very many nodes no more at once, so that what else is asked on the connection, such as a renewal, need not wait for all. */
    private static final int AT_ONCE = 500;

    private PipelinedReads() {}

    /**
     * A node that was there.
     *
     * @param data null if it has none
     * @param problem why its data was not read, or null
     */
    record Node(
            String name, byte @Nullable [] data, @Nullable String problem) {}

    /** What is told of a node before its data is read: its length, or -1 if it may not be read. */
    private record Size(String name, int bytes) {}

    /**
     * The data of the nodes below a path; those that are gone by now are left out. Their sizes are asked for first: one that is
     * longer than the client library accepts would cut the connection, and many long ones would cost too much at every reading.
     *
     * @param maxBytes data that is longer is not read
     */
    static List<Node> data(ZooKeeper session, String parent, List<String> names, int maxBytes) throws Exception {
        List<String> readable = new ArrayList<>(names.size());
        List<Node> nodes = new ArrayList<>(names.size());
        for (Size size : sizes(session, parent, names)) {
            if (size.bytes < 0) {
                nodes.add(new Node(size.name, null, FORBIDDEN));
            } else if (size.bytes > maxBytes) {
                nodes.add(new Node(size.name, null, "longer than " + maxBytes + " bytes"));
            } else {
                readable.add(size.name);
            }
        }
        nodes.addAll(all(
                readable,
                (name, answer) -> session.getData(
                        parent + "/" + name,
                        false,
                        (code, path, context, data, stat) -> complete(
                                answer,
                                code,
                                path,
                                () -> Optional.of(new Node(name, data, null)),
                                Optional.of(new Node(name, null, FORBIDDEN))),
                        null)));
        return nodes;
    }

    private static List<Size> sizes(ZooKeeper session, String parent, List<String> names) throws Exception {
        return all(
                names,
                (name, answer) -> session.exists(
                        parent + "/" + name,
                        false,
                        (code, path, context, stat) -> complete(
                                answer,
                                code,
                                path,
                                () -> Optional.of(new Size(name, stat.getDataLength())),
                                Optional.of(new Size(name, -1))),
                        null));
    }

    /** Those of the nodes below a path that have nodes of their own, as far as that may be read. */
    static List<String> withChildren(ZooKeeper session, String parent, List<String> names) throws Exception {
        return all(
                names,
                (name, answer) -> session.exists(
                        parent + "/" + name,
                        false,
                        (code, path, context, stat) -> complete(
                                answer,
                                code,
                                path,
                                () -> stat.getNumChildren() > 0 ? Optional.of(name) : Optional.empty(),
                                Optional.empty()),
                        null));
    }

    private static <T> void complete(
            CompletableFuture<Optional<T>> answer,
            int code,
            String path,
            Supplier<Optional<T>> value,
            Optional<T> forbidden) {
        if (code == Code.OK.intValue()) {
            answer.complete(value.get());
        } else if (code == Code.NONODE.intValue()) {
            answer.complete(Optional.empty());
        } else if (code == Code.NOAUTH.intValue()) {
            answer.complete(forbidden);
        } else {
            Code known = Code.get(code);
            answer.completeExceptionally(KeeperException.create(known == null ? Code.SYSTEMERROR : known, path));
        }
    }

    private static <T> List<T> all(List<String> names, BiConsumer<String, CompletableFuture<Optional<T>>> read)
            throws Exception {
        List<T> values = new ArrayList<>(names.size());
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            values.addAll(atOnce(names.subList(from, Math.min(names.size(), from + AT_ONCE)), read));
        }
        return values;
    }

    private static <T> List<T> atOnce(List<String> names, BiConsumer<String, CompletableFuture<Optional<T>>> read)
            throws Exception {
        List<CompletableFuture<Optional<T>>> answers = new ArrayList<>(names.size());
        for (String name : names) {
            CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
            answers.add(answer);
            read.accept(name, answer);
        }
        List<T> values = new ArrayList<>(names.size());
        for (CompletableFuture<Optional<T>> answer : answers) {
            try {
                answer.get().ifPresent(values::add);
            } catch (ExecutionException ex) {
                throw ex.getCause() instanceof KeeperException cause ? cause : ex;
            }
        }
        return values;
    }
}
