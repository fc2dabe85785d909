package io.rollcall.registry.redis;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RedisRegistrarTests extends RegistrarContract {

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    @Override
    protected Registrar newRegistrar() {
        return clients.registry(server.url()).registrar();
    }

    @Override
    protected Resolver resolver() {
        return clients.registry(server.url()).resolver();
    }

    @Override
    protected void wipe() {
        clients.wipe(server);
    }

    @Test
    void saysWhichServiceNamesItCanNotHold() {
        Registrar registrar = newRegistrar();

        registrar.checkServiceName("ä b/c_*:.");
        for (String name : new String[] {" ", "a\nb", "a{b}", "x".repeat(513)}) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> registrar.checkServiceName(name))
                    .withMessageContaining("Redis registers");
        }
    }
}
