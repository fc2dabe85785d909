package io.rollcall.benchmarks;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import io.rollcall.concurrency.adaptive.Completion;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a permit costs a request: taken and returned, beside resilience4j's semaphore and Netflix's limiters. Run with
 * {@code -prof gc} for the allocation and {@code -t 2} for two threads.
 *
 * <pre>
 * ./mvnw -B -q -pl benchmarks -am -DskipTests package dependency:build-classpath -Dmdep.outputFile=target/classpath.txt
 * java -cp benchmarks/target/classes:$(cat benchmarks/target/classpath.txt) org.openjdk.jmh.Main -prof gc
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PermitBenchmark {

    private final AdaptiveBulkhead adaptive = new AdaptiveBulkhead("adaptive", AdaptiveLimitConfig.defaults());

    private final Bulkhead semaphore = Bulkhead.of(
            "semaphore", BulkheadConfig.custom().maxConcurrentCalls(100).build());

    private final Limiter<Void> gradient2 =
            SimpleLimiter.newBuilder().limit(Gradient2Limit.newDefault()).build();

    private final Limiter<Void> vegas =
            SimpleLimiter.newBuilder().limit(VegasLimit.newDefault()).build();

    /** Two reads of the clock, which every limiter that measures has to make. */
    @Benchmark
    public long clock() {
        return -System.nanoTime() + System.nanoTime();
    }

    @Benchmark
    public long rollcallAdaptive() {
        long permit = this.adaptive.tryAcquire();
        if (permit != AdaptiveBulkhead.REFUSED) {
            this.adaptive.release(permit, Completion.SUCCESS);
        }
        return permit;
    }

    @Benchmark
    public boolean resilience4jSemaphore() {
        boolean permitted = this.semaphore.tryAcquirePermission();
        if (permitted) {
            this.semaphore.onComplete();
        }
        return permitted;
    }

    @Benchmark
    public boolean netflixGradient2() {
        return acquireAndRelease(this.gradient2);
    }

    @Benchmark
    public boolean netflixVegas() {
        return acquireAndRelease(this.vegas);
    }

    private static boolean acquireAndRelease(Limiter<Void> limiter) {
        Optional<Limiter.Listener> permit = limiter.acquire(null);
        permit.ifPresent(Limiter.Listener::onSuccess);
        return permit.isPresent();
    }
}
