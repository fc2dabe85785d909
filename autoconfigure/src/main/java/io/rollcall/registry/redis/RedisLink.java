package io.rollcall.registry.redis;

import io.rollcall.registry.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.function.SingletonSupplier;

/** How one role speaks to Redis. */
final class RedisLink {

    private final SingletonSupplier<StringRedisTemplate> template;

    private final Runnable reset;

    private final AtomicInteger replaced = new AtomicInteger();

    /**
     * @param factory where connections come from, asked at the first call
     * @param reset called when a command got no answer, or that of a replica, so that the next one does not meet the same server by the
     *     same connection
     */
    RedisLink(Supplier<? extends RedisConnectionFactory> factory, Runnable reset) {
        this.template = SingletonSupplier.of(() -> new StringRedisTemplate(factory.get()));
        this.reset = reset;
    }

    /**
     * Runs a script that answers with a list.
     *
     * @return its members: byte arrays, whole numbers and lists of such
     */
    List<Object> run(RedisScript<?> script, List<String> keys, Object... arguments) throws RefusedException {
        byte[][] keysAndArguments = Stream.concat(keys.stream(), Stream.of(arguments))
                .map(value -> value.toString().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        List<Object> answer = call(operations -> operations.execute(
                connection -> run(connection.scriptingCommands(), script, keys.size(), keysAndArguments), true));
        if (answer == null) {
            throw new IllegalStateException("The script was not answered with a list");
        }
        return answer;
    }

    private static List<Object> run(
            RedisScriptingCommands commands, RedisScript<?> script, int keys, byte[][] keysAndArguments) {
        try {
            return commands.evalSha(script.getSha1(), ReturnType.MULTI, keys, keysAndArguments);
        } catch (RuntimeException ex) {
            if (!RedisErrors.noScript(ex)) {
                throw ex;
            }
            byte[] text = script.getScriptAsString().getBytes(StandardCharsets.UTF_8);
            return commands.eval(text, ReturnType.MULTI, keys, keysAndArguments);
        }
    }

    /** Makes any other calls. They must bear being repeated. */
    <T> T call(Call<T> call) throws RefusedException {
        try {
            return attempt(call);
        } catch (RuntimeException ex) {
            if (!RedisErrors.disconnected(ex)) {
                throw ex;
            }
            // It broke since the last call; now there is another one.
            replaced.incrementAndGet();
            return attempt(call);
        }
    }

    /** How often the connection was found broken and replaced by another: maybe to a server with other data, though no call failed. */
    int replaced() {
        return replaced.get();
    }

    private <T> T attempt(Call<T> call) throws RefusedException {
        try {
            return call.on(template.obtain());
        } catch (RuntimeException ex) {
            RefusedException refusal = RedisErrors.refusal(ex);
            if (refusal != null) {
                throw refusal;
            }
            if (!RedisErrors.answered(ex) || RedisErrors.demoted(ex)) {
                reset.run();
            }
            throw ex;
        }
    }

    /** Calls of a template. */
    @FunctionalInterface
    interface Call<T> {

        T on(StringRedisTemplate template);
    }
}
