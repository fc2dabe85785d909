package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.consul.AgentApi.Registered;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one entry per instance in the agent. A renewal looks whether the agent still has it, which writes nothing; in mode {@code ttl}
 * it also tells the agent that the instance lives.
 */
final class ConsulRegistrar implements Registrar {

    /** How long an agent needs to do what it had been sent before it was asked again. */
    private static final long SETTLE_MILLIS = 200;

    private final AgentApi agent;

    private final ConsulNames names;

    private final EntryWriter writer;

    private final ConsulChecks checks;

    private final String owner = UUID.randomUUID().toString();

    private final Map<String, ConsulEntry> entries = new HashMap<>();

    ConsulRegistrar(AgentApi agent, ConsulNames names, EntryWriter writer, ConsulChecks checks) {
        this.agent = agent;
        this.names = names;
        this.writer = writer;
        this.checks = checks;
    }

    @Override
    public void checkServiceName(String service) {
        if (!ConsulNames.isSegment(names.service(service))) {
            throw new IllegalArgumentException(
                    "Consul registers names of 1 to 512 characters without slashes and control characters");
        }
    }

    @Override
    public void join(Instance instance) throws Exception {
        String id = names.id(instance);
        ConsulEntry entry = entries.computeIfAbsent(id, key -> new ConsulEntry(owner));
        Registered registered = agent.find(id, ConsulChecks.id(id));
        if (registered == null || !isListed(instance, id, entry, registered)) {
            write(instance, id, entry, registered);
        }
        if (checks.renews() && !agent.pass(ConsulChecks.id(id))) {
            write(instance, id, entry, null);
            if (!agent.pass(ConsulChecks.id(id))) {
                throw new IllegalStateException("The agent has lost the check of " + id + " at once");
            }
        }
    }

    private boolean isListed(Instance instance, String id, ConsulEntry entry, Registered registered)
            throws RefusedException {
        if (entry.isOurs(registered)) {
            entry.seen(registered.checkStatus());
        } else if (entry.isWritten()) {
            checkSameAddress(instance, id, registered);
        }
        boolean checked = checks.isNone() || registered.checkStatus() != null;
        return checked && entry.says(instance) && (entry.isLastWrite(registered) || saysSame(instance, id, registered));
    }

    /** Another registrar keeps the same entry, such as that of a second registry with the same agent: writing it again helps nobody. */
    private boolean saysSame(Instance instance, String id, Registered registered) {
        return !registered.owner().isEmpty()
                && EntryWriter.says(registered.entry(), writer.write(instance, id, "", null));
    }

    private static void checkSameAddress(Instance instance, String id, Registered registered) throws RefusedException {
        String host = Json.text(registered.entry(), "Address");
        if (host != null && !host.isEmpty() && !host.equals(instance.host())
                || !Objects.equals(registered.entry().get("Port"), instance.port())) {
            throw new RefusedException("The id '" + id + "' was taken over by " + host + ":"
                    + registered.entry().get("Port"));
        }
    }

    private void write(Instance instance, String id, ConsulEntry entry, @Nullable Registered registered)
            throws Exception {
        boolean ours = registered != null && entry.isOurs(registered);
        if (registered != null && !ours && !ConsulChecks.PASSING.equals(registered.checkStatus())) {
            // The agent would keep the status of a dead predecessor.
            agent.deregister(id);
        }
        String mark = entry.nextMark();
        // Only a predecessor's checks are replaced: an operator's maintenance mode is one too.
        agent.register(writer.write(instance, id, mark, checks.of(instance, id, entry.status())), !ours);
        entry.answered();
        entry.written(instance, mark);
        if (!ours) {
            removeFormer(instance, id);
        }
    }

    /** What Rollcall has registered for this very address under other ids is of processes that are dead. */
    private void removeFormer(Instance instance, String id) throws Exception {
        for (Map.Entry<String, Object> other : agent.all().entrySet()) {
            Map<String, Object> entry = JsonObjects.object(other.getValue());
            if (!other.getKey().equals(id)
                    && !entries.containsKey(other.getKey())
                    && names.service(instance.service()).equals(Json.text(entry, "Service"))
                    && instance.host().equals(Json.text(entry, "Address"))
                    && Objects.equals(entry.get("Port"), instance.port())
                    && JsonObjects.object(entry.get("Meta")).containsKey(EntryWriter.OWNER)) {
                agent.deregister(other.getKey());
            }
        }
    }

    @Override
    public void leave(Instance instance) throws Exception {
        String id = names.id(instance);
        ConsulEntry entry = entries.get(id);
        if (entry == null) {
            return;
        }
        remove(id, entry);
        if (entry.mayStillBeWritten()) {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            remove(id, entry);
        }
        entries.remove(id);
    }

    /** Unless somebody else has registered it since. */
    private void remove(String id, ConsulEntry entry) throws Exception {
        Registered registered = agent.find(id, ConsulChecks.id(id));
        if (registered != null && entry.isOurs(registered)) {
            agent.deregister(id);
        }
    }
}
