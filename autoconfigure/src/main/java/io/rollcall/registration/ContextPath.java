package io.rollcall.registration;

/** Where the application is on its web server. Asked when the server has started. */
@FunctionalInterface
interface ContextPath {

    /** The path in front of all paths of the application, such as {@code /shop}; empty if there is none. */
    String get();
}
