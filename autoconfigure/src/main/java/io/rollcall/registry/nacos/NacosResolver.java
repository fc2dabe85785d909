package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.ServiceInfo;
import com.alibaba.nacos.api.naming.remote.request.ServiceListRequest;
import com.alibaba.nacos.api.naming.remote.request.ServiceQueryRequest;
import com.alibaba.nacos.api.naming.remote.request.SubscribeServiceRequest;
import com.alibaba.nacos.api.naming.remote.response.QueryServiceResponse;
import com.alibaba.nacos.api.naming.remote.response.ServiceListResponse;
import com.alibaba.nacos.api.naming.remote.response.SubscribeServiceResponse;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads services from the server itself, past every cache of the client library, and hears of changes by its pushes. */
final class NacosResolver implements Resolver {

    private static final Listing NOTHING = new Listing(List.of(), Set.of(), List.of(), null, null);

    private static final int PAGE = 500;

    private final NacosConnection connection;

    private final NacosSettings settings;

    private final InstanceCodec codec;

    private final Subscriptions subscriptions;

    private final Duration patienceForNames;

    private final UsedNames used = new UsedNames();

    /**
     * @param patienceForNames how long one reading of the names may ask one after the other whether it is in use; the next one goes
     *     on, so that there may be more of them than can be asked within one call's time
     */
    NacosResolver(
            NacosConnection connection,
            NacosSettings settings,
            InstanceCodec codec,
            Subscriptions subscriptions,
            Duration patienceForNames) {
        this.connection = connection;
        this.settings = settings;
        this.codec = codec;
        this.subscriptions = subscriptions;
        this.patienceForNames = patienceForNames;
    }

    @Override
    public Listing lookup(String service) throws Exception {
        Optional<String> name = settings.names().find(service);
        if (name.isEmpty()) {
            return NOTHING;
        }
        unsubscribe();
        String id = connection.id();
        List<com.alibaba.nacos.api.naming.pojo.Instance> found = query(name.get());
        Map<String, Instance> byAddress = new LinkedHashMap<>();
        List<RejectedRecord> rejected = new ArrayList<>();
        for (com.alibaba.nacos.api.naming.pojo.Instance each : found) {
            if (!isUsable(each)) {
                continue;
            }
            try {
                Instance instance = codec.read(service, each);
                // A successor and its predecessor that is not gone yet are both there.
                byAddress.put(instance.address(), instance);
            } catch (IllegalArgumentException ex) {
                rejected.add(new RejectedRecord(
                        name.get() + " " + each.getIp() + ":" + each.getPort(), String.valueOf(ex.getMessage())));
            }
        }
        // A server that was restarted has lost all instances, and a new connection is how that shows. It may mean less,
        // as in
        // a cluster, where doubts are in place too: the other server may be late.
        return new Listing(List.copyOf(byAddress.values()), Set.of(), rejected, id, null);
    }

    private List<com.alibaba.nacos.api.naming.pojo.Instance> query(String name) throws Exception {
        ServiceInfo answer = connection
                .request(
                        new ServiceQueryRequest(settings.namespace(), name, settings.group()),
                        QueryServiceResponse.class)
                .getServiceInfo();
        return answer == null || answer.getHosts() == null ? List.of() : answer.getHosts();
    }

    private static boolean isUsable(com.alibaba.nacos.api.naming.pojo.Instance instance) {
        return instance.isHealthy() && instance.isEnabled();
    }

    @Override
    public Set<String> services() throws Exception {
        unsubscribe();
        Set<String> names = names();
        names.removeIf(name -> settings.names().service(name).isEmpty());
        // The server goes on naming a service for a minute after its last instance has gone.
        long start = System.nanoTime();
        for (String name : used.toAsk(names)) {
            used.answered(name, query(name).stream().anyMatch(NacosResolver::isUsable));
            if (System.nanoTime() - start >= patienceForNames.toNanos()) {
                break;
            }
        }
        return used.used().stream()
                .flatMap(name -> settings.names().service(name).stream())
                .collect(Collectors.toSet());
    }

    private Set<String> names() throws Exception {
        Set<String> names = new HashSet<>();
        int total = 1;
        for (int page = 1; (page - 1) * PAGE < total; page++) {
            ServiceListResponse answer = connection.request(
                    new ServiceListRequest(settings.namespace(), settings.group(), page, PAGE),
                    ServiceListResponse.class);
            total = answer.getCount();
            names.addAll(answer.getServiceNames());
        }
        return names;
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        Optional<String> name = settings.names().find(service);
        if (name.isEmpty()) {
            return () -> {};
        }
        unsubscribe();
        String id = connection.id();
        Watch watch = subscriptions.add(name.get(), listener);
        try {
            subscribe(name.get(), true);
            if (!id.equals(connection.id())) {
                throw new IOException("the connection to Nacos was lost");
            }
        } catch (Exception ex) {
            watch.close();
            throw ex;
        }
        return watch;
    }

    /** Not done by closing a watch, which waits for nothing: the server might see it after the next subscription. */
    private void unsubscribe() throws Exception {
        String name = subscriptions.takeAbandoned();
        while (name != null) {
            subscribe(name, false);
            name = subscriptions.takeAbandoned();
        }
    }

    private void subscribe(String name, boolean subscribe) throws Exception {
        connection.request(
                new SubscribeServiceRequest(settings.namespace(), settings.group(), name, "", subscribe),
                SubscribeServiceResponse.class);
    }
}
