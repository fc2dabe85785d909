package io.rollcall.concurrency.adaptive;

/**
 * An adaptive limit has changed.
 *
 * @param bulkheadName name of the bulkhead
 * @param from         limit before
 * @param to           limit from now on
 * @param overloaded   whether the service was refusing requests when it was changed
 */
public record LimitChange(String bulkheadName, int from, int to, boolean overloaded) {}
