package io.rollcall.registry.nacos;

import com.alibaba.nacos.common.remote.client.ServerListFactory;
import java.util.List;

/** The servers of the URL, one after the other, beginning anywhere so that a cluster's clients spread over it. Thread-safe. */
final class NacosServers implements ServerListFactory {

    private final List<String> servers;

    private int current;

    /**
     * @param first the index of the server to begin with
     */
    NacosServers(List<String> servers, int first) {
        this.servers = servers;
        this.current = Math.floorMod(first - 1, servers.size());
    }

    @Override
    public synchronized String genNextServer() {
        current = (current + 1) % servers.size();
        return servers.get(current);
    }

    @Override
    public synchronized String getCurrentServer() {
        return servers.get(current);
    }

    @Override
    public List<String> getServerList() {
        return servers;
    }
}
