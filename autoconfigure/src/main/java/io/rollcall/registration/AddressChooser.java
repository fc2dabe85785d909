package io.rollcall.registration;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.commons.util.InetUtils;
import org.springframework.cloud.commons.util.InetUtilsProperties;

/**
 * Chooses the address under which others can reach this host: the one that the server is bound to, if it is bound to one; else the
 * first that {@code spring.cloud.inetutils.*} allows; else an IPv6 address of global or unique local scope. What only this host can
 * reach is chosen last, and never silently.
 */
final class AddressChooser {

    private static final Log logger = LogFactory.getLog(AddressChooser.class);

    private final InetUtils inetUtils;

    private final InetUtilsProperties properties;

    private final Supplier<List<InetAddress>> ownAddresses;

    /** @param ownAddresses this host's, asked where {@code inetUtils}, which knows IPv4 only, has none that fits */
    AddressChooser(InetUtils inetUtils, InetUtilsProperties properties, Supplier<List<InetAddress>> ownAddresses) {
        this.inetUtils = inetUtils;
        this.properties = properties;
        this.ownAddresses = ownAddresses;
    }

    /**
     * @param bound the address that the server is told to bind, or null for all
     * @return an IP literal without scope, or the host name as it was given
     */
    String choose(@Nullable String bound) {
        if (bound != null) {
            InetAddress address = parse(bound);
            if (address == null || !address.isAnyLocalAddress()) {
                if (address != null && onlyLocal(address)) {
                    logger.warn(
                            "The server is bound to " + bound + ", which other hosts can not reach. It is registered so"
                                    + " all the same; set 'server.address' to change it");
                }
                return literal(address, bound);
            }
        }
        return chooseUnbound();
    }

    private String chooseUnbound() {
        InetAddress found = inetUtils.findFirstNonLoopbackAddress();
        if (found == null || onlyLocal(found) || !preferred(found.getHostAddress())) {
            found = firstGlobalIpv6().orElse(found);
        }
        if (found == null || onlyLocal(found)) {
            logger.warn(
                    "No address of this host can be reached by others"
                            + (properties.getPreferredNetworks().isEmpty()
                                    ? ""
                                    : " and matches 'spring.cloud.inetutils.preferred-networks' "
                                            + properties.getPreferredNetworks())
                            + ". Registering " + properties.getDefaultIpAddress()
                            + "; set 'rollcall.registries.<name>.address' or 'spring.cloud.inetutils.default-ip-address' to change it");
            return properties.getDefaultIpAddress();
        }
        if (!preferred(found.getHostAddress())) {
            logger.warn("No address of this host matches 'spring.cloud.inetutils.preferred-networks' "
                    + properties.getPreferredNetworks() + ". Registering " + literal(found, "") + name(found));
        } else {
            logger.info("Registering " + literal(found, "") + name(found)
                    + ", the first address that 'spring.cloud.inetutils.*' allows");
        }
        return literal(found, "");
    }

    /** Of the interface that has the address, to tell a container's or a tunnel's from the network's. */
    private static String name(InetAddress address) {
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(address);
            return network == null ? "" : " of " + network.getName();
        } catch (SocketException ex) {
            logger.debug("The interface of " + address + " can not be told", ex);
            return "";
        }
    }

    private boolean preferred(String address) {
        List<String> networks = properties.getPreferredNetworks();
        return networks.isEmpty()
                || networks.stream().anyMatch(network -> address.matches(network) || address.startsWith(network));
    }

    private Optional<InetAddress> firstGlobalIpv6() {
        return ownAddresses.get().stream()
                .filter(address -> address instanceof Inet6Address && !onlyLocal(address))
                .filter(address -> preferred(literal(address, "")))
                .findFirst();
    }

    private static boolean onlyLocal(InetAddress address) {
        return address.isLoopbackAddress() || address.isLinkLocalAddress() || address.isAnyLocalAddress();
    }

    /** Reads an IP literal; a host name is not looked up, since it is to be registered as it is. */
    private static @Nullable InetAddress parse(String address) {
        boolean literal = address.indexOf(':') >= 0 || address.matches("[0-9.]+");
        try {
            return literal || address.equals("localhost") ? InetAddress.getByName(address) : null;
        } catch (UnknownHostException ex) {
            logger.debug("Not an address: " + address, ex);
            return null;
        }
    }

    private static String literal(@Nullable InetAddress address, String otherwise) {
        if (address == null) {
            return otherwise;
        }
        String literal = address.getHostAddress();
        int scope = literal.indexOf('%');
        return scope < 0 ? literal : literal.substring(0, scope);
    }
}
