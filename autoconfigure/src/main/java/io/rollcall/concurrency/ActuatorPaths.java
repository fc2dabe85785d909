package io.rollcall.concurrency;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.util.StringUtils;

/**
 * The actuator's paths on the main port: whoever asks whether a busy server is alive must get an answer. Its own ones if
 * it shares the port, and in any case the health groups that were given a path on the main port ({@code /livez}).
 */
final class ActuatorPaths implements ExemptPaths {

    private static final EndpointId HEALTH = EndpointId.of("health");
    private static final String SUBTREE = "/**";

    private final PathMappedEndpoints endpoints;
    private final String servletPath;
    private final boolean sharesPort;

    /**
     * @param endpoints the web endpoints
     * @param servletPath the path of the servlet that serves them, "/" or "" for none
     * @param sharesPort whether the actuator is on the main port
     */
    ActuatorPaths(PathMappedEndpoints endpoints, String servletPath, boolean sharesPort) {
        this.endpoints = endpoints;
        this.servletPath = StringUtils.trimTrailingCharacter(servletPath, '/');
        this.sharesPort = sharesPort;
    }

    @Override
    public List<String> patterns() {
        List<String> paths = new ArrayList<>(endpoints.getAdditionalPaths(WebServerNamespace.SERVER, HEALTH));
        if (sharesPort) {
            String basePath = endpoints.getBasePath();
            // With a base path of "/" everything would be exempt.
            paths.addAll(StringUtils.hasText(basePath) ? List.of(basePath) : endpoints.getAllPaths());
        }
        return paths.stream().map(path -> servletPath + path + SUBTREE).toList();
    }
}
