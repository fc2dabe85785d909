package io.rollcall.registration;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.cloud.commons.util.InetUtilsProperties;

/** This host's addresses, in the order of its interfaces, of all that are up and not to be ignored. */
final class NetworkAddresses implements Supplier<List<InetAddress>> {

    private static final Log logger = LogFactory.getLog(NetworkAddresses.class);

    private final InetUtilsProperties properties;

    NetworkAddresses(InetUtilsProperties properties) {
        this.properties = properties;
    }

    @Override
    public List<InetAddress> get() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(network ->
                            properties.getIgnoredInterfaces().stream().noneMatch(network.getName()::matches))
                    .filter(NetworkAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException ex) {
            logger.debug("The network interfaces can not be listed", ex);
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException ex) {
            logger.debug("Skipping " + network.getName(), ex);
            return false;
        }
    }
}
