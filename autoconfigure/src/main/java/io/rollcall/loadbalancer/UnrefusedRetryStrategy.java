package io.rollcall.loadbalancer;

import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * Apache HttpClient's default, except for refusals: those it would send to the same server again, a second later, before
 * anything above it sees them.
 */
final class UnrefusedRetryStrategy extends DefaultHttpRequestRetryStrategy {

    @Override
    public boolean retryRequest(HttpResponse response, int executions, HttpContext context) {
        return !response.containsHeader(Outcomes.REJECTED) && super.retryRequest(response, executions, context);
    }
}
