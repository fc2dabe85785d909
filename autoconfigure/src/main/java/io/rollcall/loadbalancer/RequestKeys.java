package io.rollcall.loadbalancer;

import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.http.HttpHeaders;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;

/** What is read from the request: keys that strategies place calls by, null if the caller passes none, and its kind. */
final class RequestKeys {

    private RequestKeys() {}

    static @Nullable RequestData data(Request<?> request) {
        return request.getContext() instanceof RequestDataContext context ? context.getClientRequest() : null;
    }

    static @Nullable String header(Request<?> request, String name) {
        RequestData data = data(request);
        HttpHeaders headers = data != null ? data.getHeaders() : null;
        return headers != null ? text(headers.getFirst(name)) : null;
    }

    /** Whether the request asks for a WebSocket: of such a one no load balancer learns what came of it. */
    static boolean isUpgrade(Request<?> request) {
        RequestData data = data(request);
        return data != null && isUpgrade(data.getHeaders());
    }

    static boolean isUpgrade(@Nullable HttpHeaders headers) {
        return headers != null && "websocket".equalsIgnoreCase(headers.getUpgrade());
    }

    static @Nullable String path(Request<?> request) {
        RequestData data = data(request);
        return data != null && data.getUrl() != null ? text(data.getUrl().getPath()) : null;
    }

    /** A cookie, also from a plain {@code Cookie} header, of which Spring Cloud itself reads the first cookie only. */
    static @Nullable String cookie(Request<?> request, String name) {
        RequestData data = data(request);
        if (data == null) {
            return null;
        }
        HttpHeaders headers = data.getHeaders();
        if (headers != null) {
            for (String line : headers.getOrEmpty(HttpHeaders.COOKIE)) {
                for (String pair : line.split(";")) {
                    int equals = pair.indexOf('=');
                    if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                        return text(pair.substring(equals + 1).strip());
                    }
                }
            }
        }
        MultiValueMap<String, String> cookies = data.getCookies();
        return cookies != null ? text(cookies.getFirst(name)) : null;
    }

    private static @Nullable String text(@Nullable String value) {
        return StringUtils.hasText(value) ? value : null;
    }
}
