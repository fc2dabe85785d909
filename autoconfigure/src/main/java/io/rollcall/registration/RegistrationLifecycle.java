package io.rollcall.registration;

import io.rollcall.RollcallProperties;
import io.rollcall.RollcallProperties.Registration.When;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Registers the application's ports when it is ready, withdraws them while it is not, and leaves before the web server begins to
 * stop: it is in the last phase to start, which is the first to stop.
 */
final class RegistrationLifecycle
        implements AutoServiceRegistration, SmartLifecycle, ApplicationListener<AvailabilityChangeEvent<?>> {

    private static final Log logger = LogFactory.getLog(RegistrationLifecycle.class);

    /** Beyond the limit of the calls themselves, for what a busy machine adds. */
    private static final Duration LEAVE_MARGIN = Duration.ofMillis(500);

    private final ApplicationContext context;

    private final RollcallProperties.Registration properties;

    private final List<RollcallRegistration> registrations;

    private final RollcallServiceRegistry serviceRegistry;

    private final InstanceFactory instances;

    private final BoundPorts ports;

    private final Registries registries;

    private final RequiredRegistrations required;

    private final Draining draining;

    private final Clock clock;

    private final Set<String> announced = new HashSet<>();

    /** So that nobody joins after the last leave. */
    private final Object changing = new Object();

    private volatile boolean running;

    /** Whether the start has insisted already: what fails later is no reason to end. */
    private volatile boolean insisted;

    RegistrationLifecycle(
            ApplicationContext context,
            RollcallProperties.Registration properties,
            List<RollcallRegistration> registrations,
            RollcallServiceRegistry serviceRegistry,
            InstanceFactory instances,
            BoundPorts ports,
            Registries registries,
            RequiredRegistrations required,
            Draining draining,
            Clock clock) {
        this.context = context;
        this.properties = properties;
        this.registrations = registrations;
        this.serviceRegistry = serviceRegistry;
        this.instances = instances;
        this.ports = ports;
        this.registries = registries;
        this.required = required;
        this.draining = draining;
        this.clock = clock;
    }

    @Override
    public void start() {
        running = true;
        insisted = false;
        draining.end();
        if (properties.getWhen() == When.STARTED || isReady()) {
            register();
        }
    }

    /** Ready already is an application whose context was stopped and is started again. */
    private boolean isReady() {
        ApplicationAvailability availability =
                context.getBeanProvider(ApplicationAvailability.class).getIfAvailable();
        return availability != null && availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
    }

    /** One at a time, so that the registries are told of the last state last. */
    @Override
    public synchronized void onApplicationEvent(AvailabilityChangeEvent<?> event) {
        boolean ofOtherContext = event.getSource() instanceof ApplicationContext source && source != context;
        if (properties.getWhen() != When.READY || ofOtherContext || !running) {
            return;
        }
        if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
            register();
        } else if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
            leave();
        }
    }

    /** What each registry will say to it. */
    private List<CompletableFuture<Boolean>> leave() {
        synchronized (changing) {
            return bound().stream()
                    .flatMap(registration -> serviceRegistry.leave(registration).values().stream())
                    .toList();
        }
    }

    private void register() {
        Map<String, List<CompletableFuture<Boolean>>> reached = new LinkedHashMap<>();
        for (RollcallRegistration registration : registrations) {
            if (bind(registration)) {
                if (announced.add(registration.getPortName())) {
                    context.publishEvent(new InstancePreRegisteredEvent(this, registration));
                }
                join(registration)
                        .forEach((registry, future) -> reached.computeIfAbsent(registry, name -> new ArrayList<>())
                                .add(future));
            }
        }
        if (properties.isFailFast() && !insisted && !reached.isEmpty()) {
            insisted = true;
            insist(reached);
        }
    }

    private Map<String, CompletableFuture<Boolean>> join(RollcallRegistration registration) {
        synchronized (changing) {
            return running ? serviceRegistry.join(registration) : Map.of();
        }
    }

    private boolean bind(RollcallRegistration registration) {
        PortDefinition definition = registration.definition();
        Integer bound = ports.get(definition.name());
        Integer port = definition.port() != null ? definition.port() : bound;
        if (port == null) {
            explainUnbound(definition);
            return false;
        }
        if (definition.name().equals(PortDefinition.MANAGEMENT) && port.equals(ports.get(PortDefinition.HTTP))) {
            logger.info("The management endpoints have no port of their own: not registered");
            return false;
        }
        Instance before = registration.getInstance();
        // Where the context was stopped and is started again, its web server may have bound another port.
        if (before == null || before.port() != port) {
            Instance instance = instances.create(definition, port);
            if (isRegisteredAbove(instance)) {
                logger.info("The " + definition.name() + " port is registered by a parent context already");
                return false;
            }
            registration.instance(before == null ? instance : instance.withMetadata(before.metadata()));
        }
        return true;
    }

    /** A port that is named in the configuration, and bound by neither, is the same one in all contexts of an application. */
    private boolean isRegisteredAbove(Instance instance) {
        for (ApplicationContext above = context.getParent(); above != null; above = above.getParent()) {
            boolean registered = above.getBeanProvider(RollcallServiceRegistry.class).stream()
                    .anyMatch(registry -> registry.registers(instance.id()));
            if (registered) {
                return true;
            }
        }
        return false;
    }

    private void explainUnbound(PortDefinition definition) {
        String remedy = "Set 'rollcall.ports." + definition.name() + ".port' to the port that others can reach";
        if (definition.name().equals(PortDefinition.HTTP) && context.containsBean("servletContext")) {
            logger.error("Not registered: no embedded web server has bound a port. " + remedy);
        } else {
            logger.info("The " + definition.name() + " port is not registered, since no web server has bound it. "
                    + remedy);
        }
    }

    private void insist(Map<String, List<CompletableFuture<Boolean>>> reached) {
        reached.keySet().retainAll(required.names());
        if (reached.isEmpty()) {
            return;
        }
        CompletableFuture<?>[] each = reached.values().stream()
                .map(futures -> CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)))
                .toArray(CompletableFuture[]::new);
        Duration limit = longest(reached.keySet(), registry -> registry.timing().ttl());
        if (!await(required.any() ? CompletableFuture.anyOf(each) : CompletableFuture.allOf(each), limit)) {
            Map<String, RegistrationStatus> statuses = new LinkedHashMap<>();
            bound().forEach(registration -> statuses.putAll(serviceRegistry.statuses(registration)));
            statuses.keySet().retainAll(reached.keySet());
            throw new RegistrationFailedException(limit, statuses);
        }
    }

    @Override
    public void stop() {
        running = false;
        draining.begin();
        List<CompletableFuture<Boolean>> left = leave();
        Duration limit = longest(
                        Set.copyOf(registries.names()),
                        registry -> registry.timing().timeout())
                .plus(LEAVE_MARGIN);
        if (!await(CompletableFuture.allOf(left.toArray(CompletableFuture[]::new)), limit)) {
            logger.warn(
                    "Not every registry has confirmed that this application left; what is still listed there ends with its"
                            + " ttl");
        }
        drain();
    }

    /** Goes on serving for callers that have not heard yet, counted from when the last registry let us go. */
    private void drain() {
        Instant now = clock.instant();
        Optional<Instant> left = bound().stream()
                .flatMap(registration -> serviceRegistry.statuses(registration).values().stream())
                .filter(status -> status.lastSuccess() != null)
                .map(status -> status.state().isLeft() ? status.since() : now)
                .max(Instant::compareTo);
        Duration drainWait = properties.getDrainWait();
        Duration rest =
                left.map(since -> drainWait.minus(Duration.between(since, now))).orElse(Duration.ZERO);
        if (rest.compareTo(Duration.ZERO) > 0) {
            // Not longer if the clock was put back. Nothing but an interrupt can end it early: it is a wait for time to
            // pass.
            await(new CompletableFuture<>(), rest.compareTo(drainWait) < 0 ? rest : drainWait);
        }
    }

    private List<RollcallRegistration> bound() {
        return registrations.stream()
                .filter(registration -> registration.getInstance() != null)
                .toList();
    }

    private Duration longest(Set<String> names, Function<Registry, Duration> timing) {
        return registries.stream()
                .filter(registry -> names.contains(registry.name()))
                .map(timing)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Whether the future was completed within the limit. */
    private static boolean await(CompletableFuture<?> future, Duration limit) {
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException ex) {
            return false;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException ex) {
            throw new IllegalStateException(ex.getCause());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
