package io.rollcall.registry;

/** A registry refused an instance as such: wrong credentials, no permission, an id that another live instance holds. */
public class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was refused and why, without secrets
     */
    public RefusedException(String message) {
        super(message);
    }

    /**
     * @param message what was refused and why, without secrets
     * @param cause the client library's exception
     */
    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
