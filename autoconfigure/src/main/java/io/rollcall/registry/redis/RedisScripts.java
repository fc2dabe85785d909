package io.rollcall.registry.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The scripts that read or change a registry, each in one atomic step.
 *
 * @param join registers or renews an instance
 * @param leave makes an instance leave
 * @param lookup reads a service
 * @param sweep removes what has expired from a service
 * @param services reads the names of all services
 */
record RedisScripts(
        RedisScript<?> join,
        RedisScript<?> leave,
        RedisScript<?> lookup,
        RedisScript<?> sweep,
        RedisScript<?> services) {

    static RedisScripts load() {
        String common = read("common.lua");
        return new RedisScripts(
                script(common + read("join.lua")),
                script(common + read("leave.lua")),
                script(common + read("lookup.lua")),
                script(common + read("sweep.lua")),
                script(read("services.lua")));
    }

    private static RedisScript<?> script(String text) {
        return RedisScript.of(text);
    }

    private static String read(String name) {
        try (InputStream resource = RedisScripts.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("The script " + name + " is missing from Rollcall's jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
