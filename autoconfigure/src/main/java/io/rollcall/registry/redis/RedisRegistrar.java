package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry.Timing;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Registers by one script per renewal. Every call has a higher generation than those before, and the server refuses what arrives
 * after a later one: a join that was held up on its way can not undo a leave, nor a leave a join.
 */
final class RedisRegistrar implements Registrar {

    /** How long the keys of a service outlive its last renewal, so that its dead members of Swoole's set are still known. */
    private static final Duration RETENTION = Duration.ofDays(1);

    /** How long it is at least remembered that an instance has left. */
    private static final Duration MEMORY = Duration.ofMinutes(1);

    private static final Log logger = LogFactory.getLog(RedisRegistrar.class);

    private final RedisLink link;

    private final RedisScripts scripts;

    private final RedisKeys keys;

    private final Duration ttl;

    private final int renewalsPerTtl;

    private final RedisRecords records = new RedisRecords();

    private final String owner = UUID.randomUUID().toString();

    private final Map<String, Integer> renewalsUntilUpkeep = new HashMap<>();

    private final Map<String, String> swooleProblems = new HashMap<>();

    private boolean upkeepReported;

    private long generation;

    RedisRegistrar(RedisLink link, RedisScripts scripts, RedisKeys keys, Timing timing) {
        this.link = link;
        this.scripts = scripts;
        this.keys = keys;
        this.ttl = timing.ttl();
        long interval = Math.max(1, timing.interval().toMillis());
        this.renewalsPerTtl = (int) Math.max(1, Math.min(ttl.toMillis() / interval, 1000));
    }

    @Override
    public void join(Instance instance) throws RefusedException {
        if (instance.id().startsWith("@")) {
            throw new RefusedException("An instance id that begins with '@' is none for Redis: " + instance.id());
        }
        String service = instance.service();
        List<Object> answer = link.run(
                scripts.join(),
                keys.of(service),
                instance.id(),
                records.write(instance),
                owner,
                ++generation,
                SwooleMember.of(instance),
                ttl.toMillis(),
                Math.max(RETENTION.toMillis(), 4 * ttl.toMillis()),
                keys.channel(service));
        String outcome = Answers.text(answer, 0);
        if (outcome.equals("held")) {
            throw new RefusedException("The id '" + instance.id() + "' is held by " + Answers.text(answer, 1)
                    + ": set 'rollcall.instance.id' to one that no other instance has");
        }
        reportSwoole(service, Answers.text(answer, 1));
        if (outcome.equals("stale")) {
            throw new IllegalStateException("A later change of " + instance.id() + " has overtaken this one");
        }
        keepUp(service, outcome.equals("new"));
    }

    @Override
    public void leave(Instance instance) throws RefusedException {
        String service = instance.service();
        List<Object> answer = link.run(
                scripts.leave(),
                keys.of(service),
                instance.id(),
                owner,
                ++generation,
                SwooleMember.of(instance),
                Math.max(MEMORY.toMillis(), ttl.toMillis()),
                keys.channel(service));
        reportSwoole(service, Answers.text(answer, 1));
        renewalsUntilUpkeep.remove(service);
    }

    @Override
    public void checkServiceName(String service) {
        if (service.isBlank() || service.length() > 512) {
            throw new IllegalArgumentException("Redis registers names of 1 to 512 characters");
        }
        if (service.chars().anyMatch(c -> Character.isISOControl(c) || c == '{' || c == '}')) {
            throw new IllegalArgumentException("Redis registers no names with braces or control characters");
        }
    }

    /**
     * Once per ttl, and for a new entry: keeps the house. What the server does not let us do there is no fault of the registration,
     * which stands.
     */
    private void keepUp(String service, boolean isNew) {
        int renewals = renewalsUntilUpkeep.getOrDefault(service, 0);
        if (!isNew && renewals > 0) {
            renewalsUntilUpkeep.put(service, renewals - 1);
            return;
        }
        try {
            nameAndCleanUp(service);
        } catch (RefusedException ex) {
            reportUpkeep(service, ex);
        } catch (RuntimeException ex) {
            if (!RedisErrors.answered(ex)) {
                throw ex;
            }
            reportUpkeep(service, ex);
        }
        renewalsUntilUpkeep.put(service, renewalsPerTtl);
    }

    /** Names the service in the index, and cleans up some service, as nobody of it may be alive. */
    private void nameAndCleanUp(String service) throws RefusedException {
        link.call(template -> template.opsForSet().add(keys.services(), service));
        String any = link.call(template -> template.opsForSet().randomMember(keys.services()));
        if (any != null && !any.equals(service) && Answers.number(link.run(scripts.sweep(), keys.of(any)), 0) == 0) {
            link.call(template -> template.opsForSet().remove(keys.services(), any));
        }
    }

    private void reportUpkeep(String service, Exception failure) {
        String message = service + " is registered, but the names of services can not be kept, or the dead of others"
                + " removed: " + failure.getMessage();
        if (upkeepReported) {
            logger.debug(message, failure);
        } else {
            logger.warn(message);
        }
        upkeepReported = true;
    }

    private void reportSwoole(String service, String problem) {
        String before = swooleProblems.put(service, problem);
        if (!problem.isEmpty() && !problem.equals(before)) {
            logger.warn("The set '" + RedisKeys.swoole(service) + "' for Swoole can not be kept: " + problem);
        }
    }
}
