package io.rollcall.discovery;

import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.WatchListener;
import io.rollcall.worker.Backoff;
import io.rollcall.worker.RegistryThread;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Sets up the watches of one registry's services, and again when they end. Called on the registry's thread only. */
final class Watching {

    private static final Log logger = LogFactory.getLog(Watching.class);

    private final String registry;

    private final Resolver resolver;

    private final RegistryThread thread;

    private final Backoff backoff;

    private final Consumer<Subscription> read;

    /**
     * @param registry the registry's name
     * @param resolver sets them up
     * @param thread the registry's thread
     * @param backoff how long to wait after failures
     * @param read has a service read; called on the registry's thread
     */
    Watching(String registry, Resolver resolver, RegistryThread thread, Backoff backoff, Consumer<Subscription> read) {
        this.registry = registry;
        this.resolver = resolver;
        this.thread = thread;
        this.backoff = backoff;
        this.read = read;
    }

    /** Sets up the watch if there is none; what changed before it was there is read once more. */
    void ensure(Subscription subscription) {
        if (subscription.isWatched() || subscription.watchPlanned) {
            return;
        }
        String service = subscription.service();
        try {
            subscription.watched(thread.call(() -> resolver.watch(service, new Listener(subscription))));
            read.accept(subscription);
        } catch (Exception ex) {
            if (subscription.watchFailures == 0) {
                logger.warn("Can not watch " + service + " in " + registry
                        + "; it is read at every refresh, and the watch tried again: " + ex);
            }
            again(subscription);
        }
    }

    private void again(Subscription subscription) {
        subscription.watchFailures++;
        subscription.watchPlanned = true;
        thread.schedule(
                () -> {
                    subscription.watchPlanned = false;
                    read.accept(subscription);
                },
                backoff.delay(subscription.watchFailures, ThreadLocalRandom.current()));
    }

    private final class Listener implements WatchListener {

        private final Subscription subscription;

        Listener(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void changed() {
            thread.execute(() -> read.accept(subscription));
        }

        @Override
        public void lost(Exception cause) {
            logger.debug("The watch of " + subscription.service() + " in " + registry + " ended", cause);
            thread.execute(() -> {
                subscription.endWatch();
                again(subscription);
            });
        }
    }
}
