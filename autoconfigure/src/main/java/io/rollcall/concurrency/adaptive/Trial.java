package io.rollcall.concurrency.adaptive;

/**
 * More (or fewer) requests in flight, taken as an experiment: if they wait for each other, they come out as slowly as before;
 * if they wait for something else, such as a slow dependency, more come out the more are in.
 *
 * <p>Which of the two it is follows from the log-likelihood ratio of the answers under "throughput follows what is in flight"
 * and "throughput stays" (A. Wald, "Sequential tests of statistical hypotheses", 1945). Not thread-safe.
 */
final class Trial {

    enum Verdict {
        OPEN,
        FOLLOWED,
        FLAT
    }

    /** Chance alone gets there in one of exp(4) = 55 trials. */
    private static final double PROOF = 4;

    /** After so many times the answers that it is compared with, the trial is decided as it stands. */
    private static final double LONGEST = 6;

    /** While no more go in than come out, by this share, nothing would be gained from more in flight. */
    private static final double KEPT_UP = 0.05;

    /** A raise that leaves less than this share of the best is not only a little too much. */
    private static final double WORSE = 0.8;

    /** By so many standard errors chance alone is wrong in one of fifteen trials. */
    private static final double ERRORS = 1.5;

    private static final double LONGEST_LAG_SECONDS = 2;
    private static final double LOWEST_RATIO = 0.05;

    private boolean running;
    private boolean lowering;
    private double inFlight;
    private double throughput;
    private double answersBefore;
    private double answersExpected;
    private double answers;
    private double lag;
    private double evidence;

    /**
     * @param before   the window with which all that follow are compared, with answers in it
     * @param lowering whether fewer are to be in flight than before, rather than more
     */
    void begin(Window before, boolean lowering) {
        running = true;
        this.lowering = lowering;
        inFlight = before.meanInFlight();
        throughput = before.throughput();
        answersBefore = before.answered();
        answersExpected = 0;
        answers = 0;
        lag = Math.min(LONGEST_LAG_SECONDS, before.latency());
        evidence = 0;
    }

    void end() {
        running = false;
    }

    boolean running() {
        return running;
    }

    /** What was in flight before, on average. */
    double inFlight() {
        return inFlight;
    }

    /**
     * Whether the raise has cost answers beyond chance, and not only few.
     *
     * @param best      answers per second at best
     * @param variation variance of a number of answers divided by its mean
     */
    boolean madeWorse(double best, double variation) {
        double during = throughput * answers / answersExpected;
        double error = Math.sqrt(variation * answersExpected * (1 + answersExpected / Math.max(1, answersBefore)));
        return !lowering && answersExpected - answers > ERRORS * error && during < WORSE * Math.max(throughput, best);
    }

    /** Answers per second before. */
    double throughput() {
        return throughput;
    }

    /** @param variation variance of a number of answers divided by its mean */
    void add(Window window, double variation) {
        boolean draining = lowering && window.inFlightChange() < -KEPT_UP * window.released();
        if (draining) {
            // Nobody is let in until enough have left, and with only slow ones left fewer answers come for now.
            lag -= window.seconds();
            return;
        }
        double ratio = window.meanInFlight() / inFlight;
        // A queue that goes while a raise is on trial says nothing about the raise.
        double growth = Math.log(Math.max(lowering ? LOWEST_RATIO : 1, ratio));
        double flat = throughput * window.seconds();
        answersExpected += flat;
        answers += window.answered();
        double doubt = 1 + answersExpected / Math.max(1, answersBefore);
        double gain = (window.answered() * growth - flat * Math.expm1(growth)) / (variation * doubt);
        boolean keptUp = window.refused() == 0 && window.inFlightChange() < KEPT_UP * window.released();
        evidence += keptUp ? Math.max(0, gain) : gain;
        lag -= window.seconds();
        if (lag > 0) {
            // What came in because of the trial has had no time to come out.
            evidence = Math.max(0, evidence);
        }
    }

    Verdict verdict() {
        double proof = outdated() ? 0 : PROOF;
        if (evidence > proof) {
            return Verdict.FOLLOWED;
        }
        return evidence < -proof || outdated() ? Verdict.FLAT : Verdict.OPEN;
    }

    /** Whether more answers would not tell more, since those from before are too few to compare with. */
    boolean outdated() {
        return answersExpected > LONGEST * answersBefore;
    }
}
