package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.consul.ConsulHttp.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads the passing instances of services, and watches them by blocking queries. */
final class ConsulResolver implements Resolver {

    private final ConsulHttp http;

    private final ConsulSettings settings;

    private final EntryReader reader;

    private final Lives lives = new Lives();

    private final Turns turns;

    ConsulResolver(ConsulHttp http, ConsulSettings settings, EntryReader reader) {
        this.http = http;
        this.settings = settings;
        this.reader = reader;
        this.turns = new Turns(http.client().executor());
    }

    @Override
    public Listing lookup(String service) throws Exception {
        return ConsulNames.isSegment(settings.names().service(service))
                ? listing(service, http.get(path(service), query()))
                : new Listing(List.of(), Set.of(), List.of(), lives.current(service), null);
    }

    String path(String service) {
        return "/v1/health/service/" + ConsulNames.encode(settings.names().service(service));
    }

    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>(settings.lookupQuery());
        query.put("passing", "true");
        return query;
    }

    /** What an answer says. */
    Listing listing(String service, Answer answer) throws Exception {
        if (!answer.isOk()) {
            throw http.failure("a look-up of " + service, answer);
        }
        List<Object> entries = http.array(answer.body());
        if (entries.isEmpty() && answer.filtered()) {
            throw new RefusedException(
                    "Consul hides the instances of " + service + ": the token lacks the right to read");
        }
        List<Instance> instances = new ArrayList<>();
        List<RejectedRecord> rejected = new ArrayList<>();
        Map<String, String> nodes = new HashMap<>();
        for (Object entry : entries) {
            Map<String, Object> node =
                    JsonObjects.object(JsonObjects.object(entry).get("Node"));
            nodes.put(Json.text(node, "Node") + "", Json.text(node, "ID") + "/" + Json.text(node, "CreateIndex"));
            if (!reader.isPassing(entry)) {
                continue;
            }
            try {
                instances.add(reader.read(service, entry));
            } catch (IllegalArgumentException ex) {
                rejected.add(new RejectedRecord(
                        reader.key(service, entry), ex.getMessage() == null ? ex.toString() : ex.getMessage()));
            }
        }
        lives.answered(service, answer.index(), nodes);
        return new Listing(instances, Set.of(), rejected, lives.current(service), null);
    }

    @Override
    public Set<String> services() throws Exception {
        Map<String, String> query = new LinkedHashMap<>(settings.lookupQuery());
        String tag = query.remove("tag");
        Answer answer = http.get("/v1/catalog/services", query);
        if (!answer.isOk()) {
            throw http.failure("a list of services", answer);
        }
        Set<String> services = new TreeSet<>();
        http.object(answer.body()).forEach((name, tags) -> {
            String service = settings.names().withoutPrefix(name);
            if (service != null && (tag == null || JsonObjects.array(tags).contains(tag))) {
                services.add(service);
            }
        });
        return services;
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        if (!ConsulNames.isSegment(settings.names().service(service))) {
            return () -> {};
        }
        ServiceWatch watch = new ServiceWatch(this, http, lives, turns, service, listener);
        watch.start();
        return watch;
    }
}
