package io.rollcall.concurrency;

import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes a response's body on and watches the demand for it. While there is demand the server works; while there is none
 * it waits until the client has read, and likewise after the last element.
 *
 * @param <T> what the body consists of
 */
final class DemandWatch<T> implements CoreSubscriber<T>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private final Permit permit;
    private final AtomicLong demand = new AtomicLong();
    private Subscription upstream = Operators.emptySubscription();

    DemandWatch(Subscriber<? super T> actual, Permit permit) {
        this.actual = Operators.toCoreSubscriber(actual);
        this.permit = permit;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        upstream = subscription;
        actual.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        if (demand.getAndAccumulate(n, Operators::addCap) == 0) {
            permit.clientReady();
        }
        upstream.request(n);
    }

    @Override
    public void onNext(T element) {
        if (demand.decrementAndGet() == 0) {
            permit.clientWaited();
            if (demand.get() > 0) {
                // Asked for by another thread in between.
                permit.clientReady();
            }
        }
        actual.onNext(element);
    }

    @Override
    public void onError(Throwable error) {
        permit.clientWaited();
        actual.onError(error);
    }

    @Override
    public void onComplete() {
        permit.clientWaited();
        actual.onComplete();
    }

    @Override
    public void cancel() {
        upstream.cancel();
    }
}
