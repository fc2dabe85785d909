package io.rollcall.registration;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A registrar that fails and hangs on command, as no real server does at an exact moment. */
final class ScriptedRegistrar implements Registrar {

    final List<String> calls = new CopyOnWriteArrayList<>();

    volatile Exception failure;

    volatile boolean hanging;

    /** Does what it is told, but does not say so. */
    volatile boolean mute;

    volatile Instance listed;

    @Override
    public void join(Instance instance) throws Exception {
        obey("join", instance);
        listed = instance;
        fallSilent();
    }

    @Override
    public void leave(Instance instance) throws Exception {
        obey("leave", instance);
        listed = null;
    }

    private void fallSilent() throws InterruptedException {
        if (mute) {
            new CountDownLatch(1).await();
        }
    }

    private void obey(String call, Instance instance) throws Exception {
        calls.add(call + " " + instance.address() + " " + instance.metadata().getOrDefault("weight", ""));
        if (hanging) {
            new CountDownLatch(1).await();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
