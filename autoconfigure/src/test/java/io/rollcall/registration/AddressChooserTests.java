package io.rollcall.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.commons.util.InetUtils;
import org.springframework.cloud.commons.util.InetUtilsProperties;

@ExtendWith(OutputCaptureExtension.class)
class AddressChooserTests {

    private final InetUtilsProperties properties = new InetUtilsProperties();

    /** What the operating system would say, which is another thing on every machine. */
    private InetAddress found;

    private final InetUtils inetUtils = new InetUtils(properties) {
        @Override
        public InetAddress findFirstNonLoopbackAddress() {
            return found;
        }
    };

    private final List<InetAddress> own = new ArrayList<>();

    private final AddressChooser chooser = new AddressChooser(inetUtils, properties, () -> own);

    @AfterEach
    void close() {
        inetUtils.close();
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.7, 192.0.2.7", "2001:db8::7, 2001:db8:0:0:0:0:0:7", "orders.internal, orders.internal"})
    void theAddressThatTheServerIsBoundToWins(String bound, String chosen, CapturedOutput output) throws Exception {
        found = InetAddress.getByName("192.0.2.1");

        assertThat(chooser.choose(bound)).isEqualTo(chosen);
        assertThat(output).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "fe80::1", "169.254.1.1", "localhost"})
    void whatOthersCanNotReachIsChosenOnlyWithAWord(String bound, CapturedOutput output) {
        assertThat(chooser.choose(bound)).isNotBlank();

        assertThat(output).contains("The server is bound to " + bound).contains("server.address");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"0.0.0.0", "::"})
    void boundToAllIsBoundToNone(String bound) throws Exception {
        found = InetAddress.getByName("192.0.2.1");

        assertThat(chooser.choose(bound)).isEqualTo("192.0.2.1");
    }

    @Test
    void whenNothingCanBeReachedItSaysSoAndNamesTheRemedy(CapturedOutput output) throws Exception {
        found = InetAddress.getLoopbackAddress();
        properties.setPreferredNetworks(List.of("203\\.0\\.113\\..*"));

        assertThat(chooser.choose(null)).isEqualTo("127.0.0.1");
        assertThat(output)
                .contains("spring.cloud.inetutils.preferred-networks")
                .contains("rollcall.registries.<name>.address");
    }

    @Test
    void anAddressOutsideOfThePreferredNetworksIsNotTakenSilently(CapturedOutput output) throws Exception {
        found = InetAddress.getByName("192.0.2.1");
        properties.setPreferredNetworks(List.of("203.0.113"));

        assertThat(chooser.choose(null)).isEqualTo("192.0.2.1");
        assertThat(output).contains("No address of this host matches").contains("203.0.113");
    }

    @Test
    void aScopeIsLeftOut() throws UnknownHostException {
        byte[] address = InetAddress.getByName("2001:db8::1").getAddress();
        found = java.net.Inet6Address.getByAddress(null, address, 1);

        assertThat(chooser.choose(null)).isEqualTo("2001:db8:0:0:0:0:0:1");
    }

    private void addOwn(String... addresses) throws UnknownHostException {
        for (String address : addresses) {
            own.add(InetAddress.getByName(address));
        }
    }

    @Test
    void whereThereIsNoIpv4AddressAnIpv6OneIsChosenThatOthersCanReach() throws Exception {
        found = InetAddress.getLoopbackAddress();
        addOwn("127.0.0.1", "::1", "fe80::1", "fd00::7", "2001:db8::7");

        assertThat(chooser.choose(null)).isEqualTo("fd00:0:0:0:0:0:0:7");
    }

    @Test
    void theIpv6AddressIsChosenThatThePreferredNetworksNameThoughThereIsAnIpv4One(CapturedOutput output)
            throws Exception {
        found = InetAddress.getByName("192.0.2.1");
        addOwn("192.0.2.1", "fe80::1", "fd00::7", "2001:db8::7");
        properties.setPreferredNetworks(List.of("2001:db8:"));

        assertThat(chooser.choose(null)).isEqualTo("2001:db8:0:0:0:0:0:7");
        assertThat(output).doesNotContain("No address of this host matches");
    }

    @Test
    void withoutSuchAPreferenceTheIpv4AddressIsChosen() throws Exception {
        found = InetAddress.getByName("192.0.2.1");
        addOwn("192.0.2.1", "2001:db8::7");

        assertThat(chooser.choose(null)).isEqualTo("192.0.2.1");
    }
}
