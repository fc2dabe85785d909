package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.ResponseData;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.util.LinkedMultiValueMap;
import reactor.core.publisher.Flux;

/** The rules by which instances are set aside and come back, on a clock that is set by hand. */
class OutliersTests {

    private final AtomicLong clock =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos());

    private final OutlierProperties properties = new OutlierProperties();

    private final RetryBudget budget = new RetryBudget(1, 1000, () -> 0);

    private List<ServiceInstance> listed = Instances.list(4);

    private boolean complete = true;

    private @Nullable OutlierDetection detection;

    private @Nullable CallTracker tracker;

    private @Nullable CandidateListSupplier supplier;

    /** One call, of which the test decides what it chooses and what comes of it. */
    private final class Attempt {

        private final Request<RequestDataContext> request;

        private final List<ServiceInstance> candidates;

        private Response<ServiceInstance> chosen = new DefaultResponse(listed.get(0));

        Attempt(Request<RequestDataContext> request) {
            this.request = request;
            candidates = supplier().get(request).next().block();
        }

        List<Integer> ports() {
            return candidates.stream().map(ServiceInstance::getPort).toList();
        }

        Attempt choose(int port) {
            ServiceInstance instance = candidates.stream()
                    .filter(each -> each.getPort() == port)
                    .findFirst()
                    .orElseThrow();
            chosen = new DefaultResponse(instance);
            tracker.onStartRequest(generic(), chosen);
            return this;
        }

        void fails(Throwable failure) {
            tracker.onComplete(new CompletionContext<>(CompletionContext.Status.FAILED, failure, generic(), chosen));
        }

        void answers(HttpStatus status, String... headers) {
            HttpHeaders answered = new HttpHeaders();
            for (String header : headers) {
                answered.set(header, "x");
            }
            tracker.onComplete(new CompletionContext<>(
                    CompletionContext.Status.SUCCESS,
                    generic(),
                    chosen,
                    new ResponseData(status, answered, new LinkedMultiValueMap<>(), data(request))));
        }

        @SuppressWarnings("unchecked")
        private Request<Object> generic() {
            return (Request<Object>) (Request<?>) request;
        }
    }

    private static RequestData data(Request<RequestDataContext> request) {
        return request.getContext().getClientRequest();
    }

    private CandidateListSupplier supplier() {
        if (supplier == null) {
            detection = Instances.outlierDetection(properties, clock::get);
            tracker = new CallTracker(new InFlight(), detection);
            supplier = new CandidateListSupplier(new Listed(), detection.of("svc"), complete);
        }
        return supplier;
    }

    private final class Listed implements ServiceInstanceListSupplier {

        @Override
        public String getServiceId() {
            return "svc";
        }

        @Override
        public Flux<List<ServiceInstance>> get() {
            return Flux.just(listed);
        }
    }

    /** A call of a client that moves on. */
    private Attempt call(HttpMethod method) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(Call.ATTRIBUTE, new Call("svc", 3, budget));
        return new Attempt(request(method, attributes));
    }

    private Attempt call() {
        return call(HttpMethod.GET);
    }

    /** A call of a client that does not. */
    private Attempt plainCall() {
        return new Attempt(request(HttpMethod.GET, new HashMap<>()));
    }

    /** The same call once more, after its last attempt. */
    private Attempt again(Attempt last) {
        return new Attempt(last.request);
    }

    private static Request<RequestDataContext> request(HttpMethod method, Map<String, Object> attributes) {
        return new DefaultRequest<>(new RequestDataContext(new RequestData(
                method,
                java.net.URI.create("http://svc/"),
                new HttpHeaders(),
                new LinkedMultiValueMap<>(),
                attributes)));
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private void kill(int... ports) {
        for (int port : ports) {
            call().choose(port).fails(new ConnectException("refused"));
        }
    }

    private void err(int port, int times) {
        for (int i = 0; i < times; i++) {
            call().choose(port).answers(HttpStatus.INTERNAL_SERVER_ERROR);
        }
    }

    @Test
    void oneThatCanNotBeReachedIsSetAsideAtOnce() {
        kill(8001);
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
        assertThat(plainCall().ports()).containsExactly(8000, 8002, 8003);
        assertThat(detection.count()).isEqualTo(1);
    }

    @Test
    void oneWhoseConnectionBreaksIsSetAsideAtOnce() {
        call().choose(8001).fails(new java.net.SocketException("Connection reset"));
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
    }

    @Test
    void aClientThatDoesNotMoveOnIsHeardToo() {
        plainCall().choose(8001).fails(new ConnectException());
        assertThat(plainCall().ports()).containsExactly(8000, 8002, 8003);
    }

    @Test
    void oneThatErrsIsSetAsideWhenItHasFailedOftenEnoughInARow() {
        err(8001, 4);
        assertThat(call().ports()).hasSize(4);
        call().choose(8001).answers(HttpStatus.NOT_FOUND);
        err(8001, 4);
        assertThat(call().ports()).hasSize(4);
        call().choose(8001).fails(new SocketTimeoutException("Read timed out"));
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
    }

    @Test
    void refusalsAndTheCallersOwnFaultsCountForNothing() {
        for (int i = 0; i < 10; i++) {
            call().choose(8001).answers(HttpStatus.SERVICE_UNAVAILABLE, Outcomes.REJECTED);
            call().choose(8001).fails(new IllegalStateException("can not read the answer"));
        }
        assertThat(call().ports()).hasSize(4);
        err(8001, 4);
        call().choose(8001).answers(HttpStatus.SERVICE_UNAVAILABLE, Outcomes.REJECTED);
        assertThat(call().ports()).hasSize(4);
        err(8001, 1);
        assertThat(call().ports()).hasSize(3);
    }

    @Test
    void ofThoseThatErrHalfStayInUse() {
        for (int port : new int[] {8003, 8001, 8000, 8002}) {
            err(port, 5);
        }
        // The first two to fail are set aside, as long as they do.
        assertThat(call().ports()).containsExactly(8000, 8002);
        assertThat(detection.count()).isEqualTo(2);
    }

    @Test
    void unreachableOnesCountForTheHalfToo() {
        kill(8000, 8001);
        err(8002, 5);
        assertThat(call().ports()).containsExactly(8002, 8003);
    }

    @Test
    void aSingleInstanceThatErrsStaysInUse() {
        listed = Instances.list(1);
        err(8000, 20);
        assertThat(call().ports()).containsExactly(8000);
        assertThat(detection.count()).isZero();
    }

    @Test
    void allThatCanNotBeReachedAreSetAsideButOne() {
        kill(8000, 8001, 8002);
        assertThat(call().ports()).containsExactly(8003);
    }

    @Test
    void whereNoneCanBeReachedEachCallTriesThemOneAfterTheOther() {
        kill(8000, 8001, 8002, 8003);
        List<Integer> first = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Attempt attempt = call();
            List<Integer> tried = new ArrayList<>();
            for (int j = 0; j < 3; j++) {
                int port = attempt.ports().get(0);
                assertThat(attempt.ports()).hasSize(1);
                tried.add(port);
                attempt.choose(port).fails(new ConnectException());
                attempt = again(attempt);
            }
            assertThat(tried).doesNotHaveDuplicates();
            first.add(tried.get(0));
        }
        assertThat(first).hasSizeGreaterThan(1);
        // The first that serves again is in use at once.
        Attempt served = call();
        int port = served.ports().get(0);
        served.choose(port).answers(HttpStatus.OK);
        assertThat(call().ports()).contains(port).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aCallNeverGoesToOneThatIsSetAsideWhileAnotherIsInUse() {
        listed = Instances.list(2);
        kill(8000);
        Attempt refused = call().choose(8001);
        refused.answers(HttpStatus.SERVICE_UNAVAILABLE, Outcomes.REJECTED);
        assertThat(Call.of(refused.request).movesOn()).isFalse();
    }

    @Test
    void oneCallAtATimeIsOfferedItAfterTheInterval() {
        kill(8001);
        pass(Duration.ofMillis(499));
        assertThat(call().ports()).hasSize(3);
        pass(Duration.ofMillis(1));
        Attempt offered = call();
        assertThat(offered.ports()).containsExactly(8000, 8001, 8002, 8003);
        assertThat(call().ports()).hasSize(3);
        // It chooses another one: the next call is offered it.
        offered.choose(8002);
        Attempt next = call();
        assertThat(next.ports()).hasSize(4);
        next.choose(8001);
        assertThat(call().ports()).hasSize(3);
        next.answers(HttpStatus.OK);
        assertThat(call().ports()).hasSize(4);
        assertThat(detection.count()).isZero();
    }

    @Test
    void anOfferThatIsNotTakenLetsTheCallMoveOnToNobody() {
        listed = Instances.list(2);
        kill(8000);
        pass(Duration.ofSeconds(1));
        Attempt offered = call();
        assertThat(offered.ports()).hasSize(2);
        offered.choose(8001).answers(HttpStatus.SERVICE_UNAVAILABLE, Outcomes.REJECTED);
        assertThat(Call.of(offered.request).movesOn()).isFalse();
    }

    @Test
    void anOfferThatNobodyAnswersIsMadeAgain() {
        kill(8001);
        pass(Duration.ofSeconds(1));
        assertThat(call().ports()).hasSize(4);
        assertThat(call().ports()).hasSize(3);
        pass(Duration.ofMillis(100));
        assertThat(call().ports()).hasSize(4);
    }

    @Test
    void theIntervalDoublesUpToTheLongest() {
        kill(8001);
        int[] halfSeconds = {1, 2, 4, 8, 16, 30, 30, 30};
        for (int wait : halfSeconds) {
            pass(Duration.ofMillis(500L * wait - 1));
            assertThat(call().ports()).as("before %d", wait).hasSize(3);
            pass(Duration.ofMillis(1));
            Attempt probe = call();
            assertThat(probe.ports()).as("after %d", wait).hasSize(4);
            probe.choose(8001);
            // Late news of calls that were in flight change nothing.
            probe.fails(new ConnectException());
            assertThat(Call.of(probe.request).movesOn()).isTrue();
            assertThat(again(probe).ports()).containsExactly(8000, 8002, 8003);
        }
        assertThat(detection.count()).isEqualTo(1);
    }

    @Test
    void oneThatDoesNotAnswerItsCallIsNotOfferedAgainBeforeTheNextInterval() {
        kill(8001);
        pass(Duration.ofMillis(500));
        Attempt hanging = call().choose(8001);
        pass(Duration.ofMillis(999));
        assertThat(call().ports()).hasSize(3);
        pass(Duration.ofMillis(1));
        assertThat(call().ports()).hasSize(4);
        hanging.answers(HttpStatus.OK);
        assertThat(call().ports()).hasSize(4);
        assertThat(detection.count()).isZero();
    }

    @Test
    void callsThatWereBegunBeforeAreNoProof() {
        Attempt before = call().choose(8001);
        kill(8001);
        before.answers(HttpStatus.OK);
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
    }

    @Test
    void failuresOfCallsThatWereBegunBeforeDoNotMakeItWorse() {
        List<Attempt> before =
                IntStream.range(0, 10).mapToObj(i -> call().choose(8001)).toList();
        before.forEach(attempt -> attempt.fails(new java.io.EOFException()));
        pass(Duration.ofMillis(500));
        assertThat(call().ports()).hasSize(4);
    }

    @Test
    void callsThatCouldNotMoveOnAreOfferedItOnlyWhenNoOtherComes() {
        kill(8001);
        pass(Duration.ofMillis(500));
        assertThat(call(HttpMethod.POST).ports()).hasSize(3);
        assertThat(plainCall().ports()).hasSize(3);
        pass(Duration.ofMillis(1000));
        Attempt post = call(HttpMethod.POST);
        assertThat(post.ports()).hasSize(4);
        post.choose(8002);
        assertThat(plainCall().ports()).hasSize(4);
    }

    @Test
    void aClientThatDoesNotMoveOnBringsItBackToo() {
        kill(8001);
        pass(Duration.ofSeconds(2));
        Attempt probe = plainCall().choose(8001);
        assertThat(plainCall().ports()).hasSize(3);
        probe.answers(HttpStatus.OK);
        assertThat(plainCall().ports()).hasSize(4);
    }

    @Test
    void ofSeveralTheOneThatWaitsLongestIsOfferedFirst() {
        kill(8001);
        pass(Duration.ofMillis(100));
        kill(8002);
        pass(Duration.ofSeconds(1));
        Attempt first = call();
        assertThat(first.ports()).containsExactly(8000, 8001, 8003);
        first.choose(8000);
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
    }

    @Test
    void oneThatLeavesTheListAndComesBackIsNew() {
        List<ServiceInstance> all = listed;
        kill(8001);
        listed = List.of(all.get(0), all.get(2), all.get(3));
        assertThat(call().ports()).hasSize(3);
        assertThat(detection.of("svc").isEmpty()).isTrue();
        listed = all;
        assertThat(call().ports()).hasSize(4);
    }

    @Test
    void oneThatWasStartedAnewIsNew() {
        List<ServiceInstance> list = new ArrayList<>(listed);
        list.set(1, Instances.instance(8001, Map.of("startTime", "1")));
        listed = List.copyOf(list);
        kill(8001);
        list.set(1, Instances.instance(8001, Map.of("startTime", "1", "weight", "50")));
        listed = List.copyOf(list);
        assertThat(call().ports()).hasSize(3);
        list.set(1, Instances.instance(8001, Map.of("startTime", "2")));
        listed = List.copyOf(list);
        assertThat(call().ports()).hasSize(4);
        assertThat(detection.of("svc").isEmpty()).isTrue();
    }

    @Test
    void aLateFailureOfOneThatIsNotListedAnyMoreIsForgotten() {
        Attempt late = call().choose(8003);
        listed = Instances.list(3);
        late.fails(new ConnectException());
        assertThat(call().ports()).hasSize(3);
        assertThat(detection.of("svc").isEmpty()).isTrue();
    }

    @Test
    void aListThatDiffersFromCallToCallDoesNotBringBackWhatItLacks() {
        complete = false;
        List<ServiceInstance> all = listed;
        kill(8001);
        listed = all.subList(2, 4);
        assertThat(call().ports()).containsExactly(8002, 8003);
        listed = all;
        assertThat(call().ports()).containsExactly(8000, 8002, 8003);
        listed = all.subList(2, 4);
        pass(Duration.ofSeconds(61));
        assertThat(call().ports()).containsExactly(8002, 8003);
        listed = all;
        assertThat(call().ports()).hasSize(4);
    }

    @Test
    void nothingIsSetAsideIfThatIsSwitchedOff() {
        properties.setEnabled(false);
        kill(8001);
        err(8002, 20);
        assertThat(call().ports()).hasSize(4);
    }

    @Test
    void whatIsInUseStaysTheSameObjectWhileNothingChanges() {
        kill(8001);
        List<ServiceInstance> candidates = plainCall().candidates;
        assertThat(plainCall().candidates).isSameAs(candidates);
        listed = Instances.list(4);
        assertThat(plainCall().candidates).isNotSameAs(candidates);
    }

    @Test
    void exactlyOneOfManyThreadsIsOfferedIt() throws Exception {
        kill(8001);
        pass(Duration.ofMillis(500));
        AtomicInteger offers = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    for (int j = 0; j < 200; j++) {
                        if (call().ports().contains(8001)) {
                            offers.incrementAndGet();
                        }
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(offers).hasValue(1);
    }
}
