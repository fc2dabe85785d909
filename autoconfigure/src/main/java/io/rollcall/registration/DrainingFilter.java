package io.rollcall.registration;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;

/**
 * Has callers give up their connections while the application is about to stop. The web server would end those that are idle later, maybe
 * at the moment when a caller sends a request, which that caller could not repeat unless it is idempotent. In HTTP/2 a connection has
 * a farewell of its own, and no such header.
 */
final class DrainingFilter implements Filter {

    private final Draining draining;

    DrainingFilter(Draining draining) {
        this.draining = draining;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (draining.isActive()
                && request.getProtocol().startsWith("HTTP/1.")
                && response instanceof HttpServletResponse http) {
            http.setHeader(HttpHeaders.CONNECTION, "close");
        }
        chain.doFilter(request, response);
    }
}
