package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry.Timing;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Registers once and renews the lease from then on, after a look whether the entry is still ours. Every call is made on the caller's
 * thread to its end, so that none is under way when the entry is removed; a registration that was not answered may be, and until
 * that can not be any more, leaving is not done.
 */
final class EurekaRegistrar implements Registrar {

    private static final Log logger = LogFactory.getLog(EurekaRegistrar.class);

    private final EurekaServer server;

    private final InstanceCodec codec;

    private final Timing timing;

    private final Clock clock;

    private final LongSupplier nanoTime;

    private final Map<String, Entry> entries = new HashMap<>();

    EurekaRegistrar(EurekaServer server, InstanceCodec codec, Timing timing, Clock clock, LongSupplier nanoTime) {
        this.server = server;
        this.codec = codec;
        this.timing = timing;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    @Override
    public void join(Instance instance) throws IOException, RefusedException {
        if (!EurekaServer.isName(instance.id())) {
            throw new RefusedException("Eureka holds no id with a slash or control characters: " + instance.id());
        }
        Entry entry = entries.computeIfAbsent(instance.id(), id -> new Entry());
        entry.isDoubtful(nanoTime.getAsLong());
        Registered registered = server.find(instance);
        if (registered == null) {
            register(instance, entry, null);
        } else if (!entry.isOurs(registered)) {
            refuseIfElsewhere(instance, registered);
            respect(registered.override(), instance, entry);
            register(instance, entry, registered);
        } else {
            respect(registered.override(), instance, entry);
            if (!entry.isCurrent(registered, instance) || !server.renew(instance, entry.lastDirty())) {
                register(instance, entry, registered);
            }
        }
    }

    private void register(Instance instance, Entry entry, @Nullable Registered before)
            throws IOException, RefusedException {
        String override = Objects.requireNonNullElse(entry.override(), InstanceCodec.NO_OVERRIDE);
        byte[] record = codec.write(instance, timing, entry.next(clock.millis(), before), override);
        try {
            server.register(instance, record);
        } catch (IOException ex) {
            entry.doubt(nanoTime.getAsLong() + timing.ttl().toNanos());
            throw ex;
        }
        entry.confirm(instance);
    }

    /** An operator's word stands, over a loss of the server's data too, which only we can bring back. */
    private static void respect(@Nullable String override, Instance instance, Entry entry) {
        if (!Objects.equals(override, entry.override())) {
            entry.override(override);
            logger.info(
                    override == null
                            ? "Eureka has no other status for " + instance.id() + " any more"
                            : "An operator has set the status of " + instance.id() + " in Eureka to " + override
                                    + ", which stays so until it is removed there");
        }
    }

    private static void refuseIfElsewhere(Instance instance, Registered registered) throws RefusedException {
        if (!instance.uriHost().equals(registered.hostName())
                || !Integer.valueOf(instance.port()).equals(registered.port())) {
            throw new RefusedException("The id " + instance.id() + " is held by " + registered.hostName() + ":"
                    + registered.port() + " in Eureka until that leaves or its lease ends");
        }
    }

    @Override
    public void leave(Instance instance) throws IOException, RefusedException {
        Entry entry = entries.get(instance.id());
        if (entry == null) {
            return;
        }
        if (mayBeOurs(instance, entry)) {
            server.remove(instance);
        }
        if (entry.isDoubtful(nanoTime.getAsLong())) {
            throw new IOException("a registration that Eureka did not answer may still arrive there");
        }
    }

    /** A server that is slow to tell whose the entry is shall not keep it. */
    private boolean mayBeOurs(Instance instance, Entry entry) throws RefusedException {
        try {
            Registered registered = server.glance(instance);
            return registered != null && entry.isOurs(registered);
        } catch (IOException ex) {
            logger.debug("Removing " + instance.id() + " without having looked whose it is", ex);
            return true;
        }
    }

    @Override
    public void checkServiceName(String service) {
        if (!EurekaServer.isName(service)) {
            throw new IllegalArgumentException(
                    "Eureka registers names of 1 to 255 characters, without slashes, ';', '%' and control characters");
        }
    }
}
