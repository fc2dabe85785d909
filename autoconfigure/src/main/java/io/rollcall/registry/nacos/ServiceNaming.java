package io.rollcall.registry.nacos;

import io.rollcall.registry.Swoole;
import java.util.Optional;

/**
 * The names of services in Nacos.
 *
 * @param prefix what they begin with there, and not here; may be empty
 */
record ServiceNaming(String prefix) {

    private static final int MAX_LENGTH = 512;

    /** Whether Swoole is meant to read what we write. */
    boolean swoole() {
        return prefix.equals(Swoole.PREFIX);
    }

    /**
     * The name in Nacos.
     *
     * @throws IllegalArgumentException if Nacos can not hold it
     */
    String inNacos(String service) {
        String name = prefix + service;
        if (service.isBlank() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a service's name in Nacos has 1 to " + MAX_LENGTH + " characters");
        }
        if (name.startsWith("@") || name.contains("@@")) {
            throw new IllegalArgumentException("a service's name in Nacos neither begins with '@' nor contains '@@'");
        }
        if (name.chars().anyMatch(ServiceNaming::isIllegal)) {
            throw new IllegalArgumentException(
                    "a service's name in Nacos has no white space, control characters or Chinese characters");
        }
        return name;
    }

    /** As servers from 2.3 on check it. */
    private static boolean isIllegal(int character) {
        return Character.isWhitespace(character)
                || Character.isISOControl(character)
                || character >= 0x4E00 && character <= 0x9FA5;
    }

    /** The name in Nacos, if Nacos can hold it. */
    Optional<String> find(String service) {
        try {
            return Optional.of(inNacos(service));
        } catch (IllegalArgumentException ex) {
            return Optional.empty();
        }
    }

    /** The service that a name in Nacos means, if it has the prefix. */
    Optional<String> service(String inNacos) {
        return inNacos.startsWith(prefix) && inNacos.length() > prefix.length()
                ? Optional.of(inNacos.substring(prefix.length()))
                : Optional.empty();
    }
}
