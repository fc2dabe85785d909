package io.rollcall.loadbalancer;

import io.rollcall.discovery.LiveServices;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.LinkedMultiValueMap;

/** Instances and requests for tests. */
final class Instances {

    private Instances() {}

    static ServiceInstance instance(int port, Map<String, String> metadata) {
        return new DefaultServiceInstance("svc-10.0.0.1-" + port, "svc", "10.0.0.1", port, false, metadata);
    }

    static ServiceInstance weighted(int port, int weight) {
        return instance(port, Map.of("weight", String.valueOf(weight)));
    }

    /** With intervals that are always the shortest that they may be: half of what is set. */
    static OutlierDetection outlierDetection(OutlierProperties properties, LongSupplier nanoClock) {
        RandomGenerator least = () -> 0;
        return new OutlierDetection(
                properties, new StaticListableBeanFactory().getBeanProvider(LiveServices.class), nanoClock, least);
    }

    static List<ServiceInstance> list(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> instance(8000 + i, Map.of()))
                .toList();
    }

    static Request<RequestDataContext> request(String path, HttpHeaders headers) {
        return new DefaultRequest<>(new RequestDataContext(new RequestData(
                HttpMethod.GET,
                URI.create("http://svc" + path),
                headers,
                new LinkedMultiValueMap<>(),
                new HashMap<>())));
    }

    static Request<RequestDataContext> request(String path) {
        return request(path, new HttpHeaders());
    }

    static Request<RequestDataContext> request(String header, String value) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(header, value);
        return request("/", headers);
    }
}
