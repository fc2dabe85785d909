package io.rollcall.registry.dns;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import java.time.Duration;

/** Puts one registry together. */
final class DnsRegistry {

    private DnsRegistry() {}

    static Registry create(RegistryDefinition definition, DnsSettings settings) {
        Registry.Timing timing = definition.timing();
        Duration shortest = timing.interval().isZero() ? Registry.Timing.DEFAULT.interval() : timing.interval();
        DnsClient client = new DnsClient(settings.servers(), timing.timeout());
        RecordReader reader =
                settings.services() ? new ServiceRecords(client, settings) : new Addresses(client, settings);
        DnsWatches watches = new DnsWatches(reader, definition.name(), shortest, System::nanoTime);
        return definition.toRegistry(DnsRegistryFactory.TYPE, null, new DnsResolver(reader, watches), watches::close);
    }
}
