package io.rollcall.loadbalancer;

import feign.Client;
import feign.Request;
import feign.Response;
import feign.Util;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.openfeign.loadbalancer.FeignBlockingLoadBalancerClient;
import org.springframework.cloud.openfeign.loadbalancer.LoadBalancerFeignRequestTransformer;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;

/**
 * Spring Cloud's load balancing of Feign, moving on to another instance where the call was not processed. Feign holds bodies in
 * memory, so that they can always be sent again.
 */
final class FailoverFeignClient implements Client {

    private static final Log logger = LogFactory.getLog(FailoverFeignClient.class);

    private final Client delegate;

    private final LoadBalancerClient loadBalancer;

    private final LoadBalancerClientFactory clients;

    private final List<LoadBalancerFeignRequestTransformer> transformers;

    private final Failover failover;

    private final CallTracker tracker;

    FailoverFeignClient(
            Client delegate,
            LoadBalancerClient loadBalancer,
            LoadBalancerClientFactory clients,
            List<LoadBalancerFeignRequestTransformer> transformers,
            Failover failover,
            CallTracker tracker) {
        this.delegate = delegate;
        this.loadBalancer = loadBalancer;
        this.clients = clients;
        this.transformers = transformers;
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public Response execute(Request request, Request.Options options) throws IOException {
        String serviceId = URI.create(request.url()).getHost();
        if (serviceId == null) {
            throw new IllegalStateException("Request URI does not contain a valid host name: " + request.url());
        }
        Call call = failover.begin(serviceId);
        Client client = new FeignBlockingLoadBalancerClient(
                delegate, new CallLoadBalancerClient(loadBalancer, id -> call), clients, transformers);
        HttpMethod method = HttpMethod.valueOf(request.httpMethod().name());
        @Nullable Response refusal = null;
        @Nullable IOException failure = null;
        while (true) {
            int before = call.attempts();
            Response response;
            try {
                response = client.execute(request, options);
            } catch (IOException ex) {
                if (!Outcomes.movesOn(call, ex, method)) {
                    throw ex;
                }
                refusal = null;
                failure = ex;
                continue;
            } finally {
                // Nothing but an Error leaves an attempt open.
                tracker.ended(call, Verdict.NONE);
            }
            if (call.attempts() == before) {
                return last(response, refusal, failure);
            }
            if (!isRefusal(response) || !call.movesOn()) {
                return response;
            }
            refusal = inMemory(response);
        }
    }

    /** The last outcome, if those to move on to have left meanwhile. */
    private static Response last(Response nobody, @Nullable Response refusal, @Nullable IOException failure)
            throws IOException {
        if (refusal != null) {
            return refusal;
        }
        if (failure != null) {
            throw failure;
        }
        return nobody;
    }

    /** Frees the connection while another instance is tried. */
    private static Response inMemory(Response response) {
        byte[] body = new byte[0];
        try (response) {
            if (response.body() != null) {
                body = Util.toByteArray(response.body().asInputStream());
            }
        } catch (IOException ex) {
            logger.debug("The body of a refusal can not be read", ex);
        }
        return response.toBuilder().body(body).build();
    }

    private static boolean isRefusal(Response response) {
        Map<String, Collection<String>> headers = response.headers();
        return response.status() >= HttpStatus.BAD_REQUEST.value() && headers.containsKey(Outcomes.REJECTED);
    }
}
