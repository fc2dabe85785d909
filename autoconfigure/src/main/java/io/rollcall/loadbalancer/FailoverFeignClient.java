package io.rollcall.loadbalancer;

import feign.Client;
import feign.Request;
import feign.Response;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

    private final Client delegate;

    private final LoadBalancerClient loadBalancer;

    private final LoadBalancerClientFactory clients;

    private final List<LoadBalancerFeignRequestTransformer> transformers;

    private final Failover failover;

    FailoverFeignClient(
            Client delegate,
            LoadBalancerClient loadBalancer,
            LoadBalancerClientFactory clients,
            List<LoadBalancerFeignRequestTransformer> transformers,
            Failover failover) {
        this.delegate = delegate;
        this.loadBalancer = loadBalancer;
        this.clients = clients;
        this.transformers = transformers;
        this.failover = failover;
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
        while (true) {
            try {
                Response response = client.execute(request, options);
                if (!isRefusal(response) || !call.movesOn()) {
                    return response;
                }
                response.close();
            } catch (IOException ex) {
                if (!Outcomes.movesOn(call, ex, method)) {
                    throw ex;
                }
            }
        }
    }

    private static boolean isRefusal(Response response) {
        Map<String, Collection<String>> headers = response.headers();
        return response.status() >= HttpStatus.BAD_REQUEST.value() && headers.containsKey(Outcomes.REJECTED);
    }
}
