package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads services, and learns of changes by asking for them. */
final class EurekaResolver implements Resolver {

    private static final Listing NOTHING = new Listing(List.of(), Set.of(), List.of(), null, null);

    private final EurekaServer server;

    private final ChangePoller poller;

    private final Continuity continuity;

    EurekaResolver(EurekaServer server, ChangePoller poller) {
        this.server = server;
        this.poller = poller;
        this.continuity = new Continuity(server);
    }

    @Override
    public Listing lookup(String service) throws IOException, RefusedException {
        if (!EurekaServer.isName(service)) {
            return NOTHING;
        }
        List<Instance> instances = new ArrayList<>();
        List<RejectedRecord> rejected = new ArrayList<>();
        Set<String> registered = new HashSet<>();
        Set<String> left = new HashSet<>();
        for (Map<String, Object> record : server.instances(service)) {
            String id = String.valueOf(Json.text(record, "instanceId"));
            registered.add(id);
            if (!InstanceCodec.isUp(record)) {
                left.add(id);
                continue;
            }
            try {
                instances.add(InstanceCodec.read(service, record));
            } catch (IllegalArgumentException ex) {
                rejected.add(new RejectedRecord(
                        EurekaServer.application(service) + "/" + id, String.valueOf(ex.getMessage())));
            }
        }
        left.addAll(continuity.accept(service, registered));
        String incarnation = registered.isEmpty() ? null : continuity.incarnation();
        return new Listing(instances, left, rejected, incarnation, null);
    }

    @Override
    public Set<String> services() throws IOException, RefusedException {
        Set<String> services = new HashSet<>();
        for (Application application : server.applications()) {
            application.instances().stream()
                    .filter(InstanceCodec::isUp)
                    .findFirst()
                    .ifPresent(record -> services.add(name(application, record)));
        }
        return services;
    }

    /** The name in its own case if that is known, else in lower case, as Spring Cloud Netflix has it. */
    private static String name(Application application, Map<String, Object> record) {
        String vipAddress = Json.text(record, "vipAddress");
        return vipAddress != null && vipAddress.equalsIgnoreCase(application.name())
                ? vipAddress
                : application.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws IOException, RefusedException {
        return poller.watch(EurekaServer.application(service), listener);
    }
}
