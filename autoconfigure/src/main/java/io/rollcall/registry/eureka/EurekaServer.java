package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.RegistryHttp.Answer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations of Eureka's REST interface that Rollcall needs. Every status that is not foreseen is a failure. Thread-safe. */
final class EurekaServer {

    private final EurekaHttp http;

    private final InstanceCodec codec;

    EurekaServer(EurekaHttp http, InstanceCodec codec) {
        this.http = http;
        this.codec = codec;
    }

    /** The name that an application has in Eureka. */
    static String application(String service) {
        return service.toUpperCase(Locale.ROOT);
    }

    /** Whether a name can be part of a path: servers refuse others, encoded or not. */
    static boolean isName(String service) {
        return !service.isBlank()
                && service.length() <= 255
                && !service.equals(".")
                && !service.equals("..")
                && service.chars().noneMatch(c -> Character.isISOControl(c) || "/\\;%".indexOf(c) >= 0);
    }

    private static String path(String service) {
        return "/apps/" + encode(application(service));
    }

    private static String path(Instance instance) {
        return path(instance.service()) + "/" + encode(instance.id());
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** What is registered under the instance's id, or null if nothing is. */
    @Nullable
    Registered find(Instance instance) throws IOException, RefusedException {
        return registered(http.call("GET", path(instance), null));
    }

    /** As {@link #find}, in a third of the time. */
    @Nullable
    Registered glance(Instance instance) throws IOException, RefusedException {
        return registered(http.glance(path(instance)));
    }

    private @Nullable Registered registered(Answer answer) throws IOException, RefusedException {
        return answer.status() == EurekaHttp.NOT_FOUND ? null : Registered.of(codec.instance(body(answer)));
    }

    void register(Instance instance, byte[] record) throws IOException, RefusedException {
        Answer answer = http.call("POST", path(instance.service()), record);
        require(answer.status() == EurekaHttp.NO_CONTENT || answer.status() == EurekaHttp.OK, answer);
    }

    /** Renews the lease; false if there is none, or one that is older. */
    boolean renew(Instance instance, long lastDirty) throws IOException, RefusedException {
        Answer answer = http.call("PUT", path(instance) + "?status=UP&lastDirtyTimestamp=" + lastDirty, null);
        require(answer.status() == EurekaHttp.OK || answer.status() == EurekaHttp.NOT_FOUND, answer);
        return answer.status() == EurekaHttp.OK;
    }

    /** Removes the instance, if it is there. */
    void remove(Instance instance) throws IOException, RefusedException {
        Answer answer = http.call("DELETE", path(instance), null);
        require(answer.status() == EurekaHttp.OK || answer.status() == EurekaHttp.NOT_FOUND, answer);
    }

    /** A service's instances; none if nobody is registered. */
    List<Map<String, Object>> instances(String service) throws IOException, RefusedException {
        Answer answer = http.call("GET", path(service), null);
        return answer.status() == EurekaHttp.NOT_FOUND ? List.of() : codec.application(body(answer));
    }

    List<Application> applications() throws IOException, RefusedException {
        return codec.applications(body(http.call("GET", "/apps", null)));
    }

    /** What has changed in the last minutes, or null if the server does not tell. */
    @Nullable
    List<Application> changes() throws IOException, RefusedException {
        Answer answer = http.call("GET", "/apps/delta", null);
        return answer.status() == EurekaHttp.FORBIDDEN ? null : codec.applications(body(answer));
    }

    private static byte[] body(Answer answer) throws IOException, RefusedException {
        require(answer.status() == EurekaHttp.OK, answer);
        return answer.body();
    }

    private static void require(boolean condition, Answer answer) throws IOException, RefusedException {
        if (answer.status() == EurekaHttp.FORBIDDEN) {
            throw new RefusedException("Eureka refuses: the user may not do this (HTTP status 403)");
        }
        if (!condition) {
            throw new IOException("Eureka answered with HTTP status " + answer.status());
        }
    }
}
