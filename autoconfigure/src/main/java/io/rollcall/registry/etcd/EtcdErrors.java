package io.rollcall.registry.etcd;

import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.rollcall.registry.RefusedException;
import java.util.Map;

/** Tells etcd's answers apart, and an answer from none. */
final class EtcdErrors {

    /** What the texts of errors contain, which are the same in all versions, and what it means. */
    private static final Map<String, String> REFUSALS = Map.of(
            "invalid user ID or password", "it knows no such user and password",
            "user name is empty", "it asks for a user and password",
            "invalid auth token", "it does not accept its own token",
            "permission denied", "the user lacks the right to a key");

    private EtcdErrors() {}

    /** Whether the host did not answer, or could not: another one may. */
    static boolean isSilence(StatusRuntimeException thrown) {
        Code code = thrown.getStatus().getCode();
        return code == Code.UNAVAILABLE || code == Code.DEADLINE_EXCEEDED;
    }

    static boolean isNotFound(StatusRuntimeException thrown) {
        return thrown.getStatus().getCode() == Code.NOT_FOUND;
    }

    /** Whether an answer is longer than the client takes. */
    static boolean isTooLong(StatusRuntimeException thrown) {
        return thrown.getStatus().getCode() == Code.RESOURCE_EXHAUSTED && says(thrown, "maximum");
    }

    /** Whether a new login may help: tokens expire, end with the server, and with every change of users and roles. */
    static boolean isLoggedOut(StatusRuntimeException thrown) {
        return thrown.getStatus().getCode() == Code.UNAUTHENTICATED
                || says(thrown, "invalid auth token")
                || says(thrown, "user name is empty")
                || says(thrown, "revision of auth store is old");
    }

    static boolean isAuthenticationDisabled(StatusRuntimeException thrown) {
        return says(thrown, "authentication is not enabled");
    }

    /** The exception to throw for an answer. */
    static Exception explain(StatusRuntimeException thrown) {
        for (Map.Entry<String, String> refusal : REFUSALS.entrySet()) {
            if (says(thrown, refusal.getKey())) {
                return new RefusedException("etcd refuses: " + refusal.getValue(), thrown);
            }
        }
        return thrown;
    }

    /** The reason that was given for refusing a watch. */
    static Exception explain(String reason) {
        return explain(Status.UNKNOWN.withDescription(reason).asRuntimeException());
    }

    /** What a stream that has ended without an answer is: another host may do better. */
    static StatusRuntimeException ended() {
        return Status.UNAVAILABLE.withDescription("the stream was ended").asRuntimeException();
    }

    static String reason(StatusRuntimeException thrown) {
        Status status = thrown.getStatus();
        if (status.getCode() == Code.DEADLINE_EXCEEDED) {
            return "no answer in time";
        }
        Throwable cause = thrown.getCause();
        Throwable root = cause == null ? thrown : cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private static boolean says(StatusRuntimeException thrown, String text) {
        String description = thrown.getStatus().getDescription();
        return description != null && description.contains(text);
    }
}
