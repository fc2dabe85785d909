package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.List;

/**
 * What one registry listed for one service when it last answered, as it is kept on disk. Immutable.
 *
 * @param service the service's name
 * @param registry the registry's name
 * @param url where the registry is, without any secret
 * @param asOf when it answered
 * @param instances what it listed
 */
record KnownList(String service, String registry, String url, Instant asOf, List<Instance> instances) {

    /** Copies what it is given. */
    KnownList {
        instances = List.copyOf(instances);
    }

    /** The same list of other instances. */
    KnownList with(List<Instance> others) {
        return new KnownList(service, registry, url, asOf, others);
    }

    /** Tells lists apart: what two of them with the same key say, the newer one knows better. */
    Key key() {
        return new Key(service, registry, url);
    }

    /** One service in one registry. */
    record Key(String service, String registry, String url) {}
}
