package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EurekaRegistrarContractTests extends RegistrarContract {

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    @AutoClose
    private final Registries registries = new Registries();

    @Override
    protected Registrar newRegistrar() {
        return registries.registrar(server.url());
    }

    @Override
    protected Resolver resolver() {
        return registries.resolver(server.url());
    }

    @Override
    protected void wipe() {
        server.wipe();
    }

    @Test
    void saysWhichServiceNamesItCanNotHold() {
        Registrar registrar = newRegistrar();

        registrar.checkServiceName("ä b_c.{d}");
        for (String name : new String[] {" ", "a\nb", "a/b", "..", "50%", "x".repeat(256)}) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> registrar.checkServiceName(name))
                    .withMessageContaining("Eureka registers");
        }
    }
}
