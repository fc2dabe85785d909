package io.rollcall.servers.nacos;

import com.alibaba.nacos.consistency.cp.RequestProcessor4CP;
import com.alibaba.nacos.core.code.ControllerMethodsCache;
import com.alibaba.nacos.core.distributed.ProtocolManager;
import com.alibaba.nacos.core.remote.ConnectionManager;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.ServletComponentScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes the place of Nacos's console module, which is what usually starts the server. */
@SpringBootApplication(scanBasePackages = {"com.alibaba.nacos", "io.rollcall.servers.nacos"})
@ServletComponentScan("com.alibaba.nacos")
@EnableScheduling
public class NacosServer {

    /**
     * @param methods what Nacos's filters know of its controllers
     */
    public NacosServer(ControllerMethodsCache methods) {
        methods.initClassMethod("com.alibaba.nacos.core.controller");
        methods.initClassMethod("com.alibaba.nacos.naming.controllers");
    }

    /**
     * Starts the server, or ends the process.
     *
     * @param arguments properties
     */
    public static void main(String[] arguments) {
        try {
            createRaftGroups(SpringApplication.run(NacosServer.class, arguments));
        } catch (Throwable ex) {
            ex.printStackTrace(System.out);
            // Threads that Nacos started already would keep the process for ever, of no use to anybody.
            Runtime.getRuntime().halt(1);
        }
        System.out.println("Nacos is ready");
    }

    /**
     * Nacos keeps persistent instances, and what operators change, by Raft. The build that Maven Central has leaves the groups out, which
     * Nacos itself makes at this point.
     */
    private static void createRaftGroups(ConfigurableApplicationContext context) throws ReflectiveOperationException {
        Object protocol = context.getBean(ProtocolManager.class).getCpProtocol();
        Field server = protocol.getClass().getDeclaredField("raftServer");
        server.setAccessible(true);
        Method create = server.getType().getDeclaredMethod("createMultiRaftGroup", Collection.class);
        create.setAccessible(true);
        create.invoke(
                server.get(protocol),
                new ArrayList<>(
                        context.getBeansOfType(RequestProcessor4CP.class).values()));
    }

    /** Lets tests have every client disconnected, whose ephemeral instances go with it: what a restart does, in no time. */
    @RestController
    static class Disconnection {

        private final ConnectionManager connections;

        Disconnection(ConnectionManager connections) {
            this.connections = connections;
        }

        @PostMapping("/test/disconnect")
        void disconnect() {
            List.copyOf(connections.currentClients().keySet()).forEach(connections::unregister);
        }
    }
}
