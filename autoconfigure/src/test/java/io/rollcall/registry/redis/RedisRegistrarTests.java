package io.rollcall.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import java.time.Duration;
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
    void anIdThatALiveInstanceOfAnotherAddressHoldsIsRefusedUntilThatHasGone() throws Exception {
        Instance first = RedisClients.instance("held", "one", 8081);
        Instance second = RedisClients.instance("held", "one", 8082);
        Registrar holder = newRegistrar();
        holder.join(first);
        Registrar other = newRegistrar();

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> other.join(second))
                .withMessageContainingAll("'one' is held by 127.0.0.1:8081", "rollcall.instance.id");
        holder.join(first);
        assertThat(resolver().lookup("held").instances()).containsExactly(first);

        holder.leave(first);
        other.join(second);
        assertThat(resolver().lookup("held").instances()).containsExactly(second);
    }

    @Test
    void anIdOfTheDeadIsFreeForAnyAddress() throws Exception {
        clients.registry(server.url(), RedisClients.ttl(Duration.ofMillis(300)))
                .registrar()
                .join(RedisClients.instance("dead", "one", 8081));
        Registrar successor = newRegistrar();

        await().ignoreExceptions().untilAsserted(() -> successor.join(RedisClients.instance("dead", "one", 8082)));
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
