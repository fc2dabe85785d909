package io.rollcall.registry.zookeeper;

/**
 * Where services and instances are: {@code <base>/<service>/<id>}.
 *
 * @param base begins with a slash, or is empty for ZooKeeper's root
 */
record ServicePaths(String base) {

    /** Holds ZooKeeper's own nodes at the root. */
    private static final String RESERVED = "zookeeper";

    /** The path of all services. */
    String root() {
        return base.isEmpty() ? "/" : base;
    }

    /**
     * The path of a service.
     *
     * @throws IllegalArgumentException if there can be none of that name, with the reason
     */
    String service(String service) {
        if (base.isEmpty() && service.equals(RESERVED)) {
            throw new IllegalArgumentException("'/" + RESERVED + "' belongs to ZooKeeper itself");
        }
        return base + "/" + checkNode(service);
    }

    /** Whether there can be a service of that name. */
    boolean isService(String service) {
        try {
            service(service);
            return true;
        } catch (IllegalArgumentException ex) {
            return false;
        }
    }

    /**
     * The path of an instance.
     *
     * @throws IllegalArgumentException if there can be none of that service and id, with the reason
     */
    String instance(String service, String id) {
        return service(service) + "/" + checkNode(id);
    }

    /**
     * The path with a leading and without a trailing slash, empty for the root.
     *
     * @throws IllegalArgumentException if ZooKeeper can not have it, with the reason
     */
    static String normalize(String path) {
        String relative = path.startsWith("/") ? path.substring(1) : path;
        if (relative.endsWith("/")) {
            relative = relative.substring(0, relative.length() - 1);
        }
        if (relative.isEmpty()) {
            return "";
        }
        for (String node : relative.split("/", -1)) {
            checkNode(node);
        }
        return "/" + relative;
    }

    private static String checkNode(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a node's name can not be empty");
        }
        if (name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("a node can not be called '" + name + "'");
        }
        if (name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("'" + name + "' contains a slash, which separates nodes");
        }
        name.chars().filter(ServicePaths::isForbidden).findFirst().ifPresent(character -> {
            throw new IllegalArgumentException(
                    String.format("its character U+%04X is not allowed in a node's name", character));
        });
        return name;
    }

    private static boolean isForbidden(int character) {
        return character <= 0x1f
                || character >= 0x7f && character <= 0x9f
                || character >= 0xd800 && character <= 0xf8ff
                || character >= 0xfff0;
    }
}
