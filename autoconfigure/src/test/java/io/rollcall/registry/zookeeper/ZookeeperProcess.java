package io.rollcall.registry.zookeeper;

import io.rollcall.servers.RegistryServer;
import io.rollcall.servers.ServerProcess;
import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/** A real server in a process of its own, which can be paused, killed and wiped. */
public final class ZookeeperProcess implements RegistryServer {

    private final int port = ServerProcess.freePort();

    private final Path directory = ServerProcess.directory("zookeeper");

    private ServerProcess process;

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public String kind() {
        return "zookeeper";
    }

    @Override
    public String url() {
        return "zookeeper://" + address();
    }

    @Override
    public void start() {
        Path configuration = directory.resolve("zoo.cfg");
        ServerProcess.write(
                configuration,
                String.join(
                        "\n",
                        "dataDir=" + directory.resolve("data"),
                        "clientPort=" + port,
                        "clientPortAddress=127.0.0.1",
                        "tickTime=200",
                        "minSessionTimeout=200",
                        "maxSessionTimeout=3600000",
                        "maxClientCnxns=0",
                        "admin.enableServer=false",
                        "4lw.commands.whitelist=*"));
        process = ServerProcess.start(
                directory,
                ServerProcess.java(
                        ServerProcess.testClassPath(),
                        "-Dznode.container.checkIntervalMs=300",
                        "-Dzookeeper.forceSync=no",
                        "-Djute.maxbuffer=8000000",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        configuration.toString()),
                () -> FourLetterWords.ask(port, "srvr").contains("version"));
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void wipe() {
        boolean running = process.isAlive();
        kill();
        FileSystemUtils.deleteRecursively(directory.resolve("data").toFile());
        if (running) {
            start();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        FileSystemUtils.deleteRecursively(directory.toFile());
    }
}
