package io.rollcall.registry.zookeeper;

import io.rollcall.servers.ChildServer;
import io.rollcall.servers.ServerProcess;
import java.nio.file.Path;

/** A real server in a process of its own, which can be paused, killed and wiped. */
public final class ZookeeperProcess extends ChildServer {

    public ZookeeperProcess() {
        super("zookeeper");
    }

    @Override
    protected ServerProcess launch() {
        Path configuration = directory().resolve("zoo.cfg");
        ServerProcess.write(
                configuration,
                String.join(
                        "\n",
                        "dataDir=" + directory().resolve("data"),
                        "clientPort=" + port(),
                        "clientPortAddress=127.0.0.1",
                        "tickTime=200",
                        "minSessionTimeout=200",
                        "maxSessionTimeout=3600000",
                        "maxClientCnxns=0",
                        "admin.enableServer=false",
                        "4lw.commands.whitelist=*"));
        return ServerProcess.start(
                directory(),
                ServerProcess.java(
                        ServerProcess.testClassPath(),
                        "-Dznode.container.checkIntervalMs=300",
                        "-Dzookeeper.forceSync=no",
                        "-Djute.maxbuffer=8000000",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        configuration.toString()),
                () -> FourLetterWords.ask(port(), "srvr").contains("version"));
    }

    @Override
    public void wipe() {
        forget("data");
    }
}
