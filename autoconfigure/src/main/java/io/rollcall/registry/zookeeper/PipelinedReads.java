package io.rollcall.registry.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Reads many nodes in about the time of one: all are asked for before the first answer is waited for. */
final class PipelinedReads {

    private PipelinedReads() {}

    /**
     * A node that was there.
     *
     * @param data null if it has none
     * @param permitted false if its data may not be read
     */
    record Node(String name, byte @Nullable [] data, boolean permitted) {}

    /** The data of the nodes below a path; those that are gone by now are left out. */
    static List<Node> data(ZooKeeper session, String parent, List<String> names) throws Exception {
        return all(
                names,
                (name, answer) -> session.getData(
                        parent + "/" + name,
                        false,
                        (code, path, context, data, stat) -> {
                            if (code == Code.NOAUTH.intValue()) {
                                answer.complete(Optional.of(new Node(name, null, false)));
                            } else {
                                complete(answer, code, path, () -> Optional.of(new Node(name, data, true)));
                            }
                        },
                        null));
    }

    /** Those of the nodes below a path that have nodes of their own. */
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
                                () -> stat.getNumChildren() > 0 ? Optional.of(name) : Optional.empty()),
                        null));
    }

    private interface Value<T> {

        Optional<T> get();
    }

    private static <T> void complete(CompletableFuture<Optional<T>> answer, int code, String path, Value<T> value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value.get());
        } else if (code == Code.NONODE.intValue()) {
            answer.complete(Optional.empty());
        } else {
            Code known = Code.get(code);
            answer.completeExceptionally(KeeperException.create(known == null ? Code.SYSTEMERROR : known, path));
        }
    }

    private static <T> List<T> all(List<String> names, BiConsumer<String, CompletableFuture<Optional<T>>> read)
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
