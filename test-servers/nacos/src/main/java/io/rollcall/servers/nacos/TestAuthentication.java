package io.rollcall.servers.nacos;

import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.api.Resource;
import com.alibaba.nacos.plugin.auth.constant.ActionTypes;
import com.alibaba.nacos.plugin.auth.exception.AccessException;
import com.alibaba.nacos.plugin.auth.spi.server.AuthPluginService;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * One user who may do everything, and one who may only read, with the login that Nacos's own plugin has, which Maven Central lacks. Used
 * if {@code nacos.core.auth.enabled} is set, with {@code nacos.core.auth.system.type=test}.
 */
public final class TestAuthentication implements AuthPluginService {

    /** Seconds. */
    private static final int TOKEN_TTL = 18_000;

    private static final String TOKEN = "accessToken";

    private static final AtomicReference<String> SECRET =
            new AtomicReference<>(UUID.randomUUID().toString());

    @Override
    public Collection<String> identityNames() {
        return List.of(TOKEN);
    }

    @Override
    public boolean enableAuth(ActionTypes action, String type) {
        return true;
    }

    @Override
    public boolean validateIdentity(IdentityContext identity, Resource resource) throws AccessException {
        if (!String.valueOf(identity.getParameter(TOKEN)).endsWith(SECRET.get())) {
            throw new AccessException("token invalid!");
        }
        return true;
    }

    @Override
    public Boolean validateAuthority(IdentityContext identity, Permission permission) throws AccessException {
        boolean reader = String.valueOf(identity.getParameter(TOKEN)).startsWith("reader");
        if (reader && !ActionTypes.READ.toString().equals(permission.getAction())) {
            throw new AccessException("authorization failed!");
        }
        return true;
    }

    @Override
    public String getAuthServiceName() {
        return "test";
    }

    @RestController
    static class Login {

        @PostMapping("/v1/auth/users/login")
        ResponseEntity<Map<String, Object>> login(@RequestParam String username, @RequestParam String password) {
            if (!password.equals(username + "-s3cret")) {
                return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
            }
            return ResponseEntity.ok(Map.of(TOKEN, username + SECRET.get(), "tokenTtl", TOKEN_TTL));
        }

        @PostMapping("/test/expire")
        void expire() {
            SECRET.set(UUID.randomUUID().toString());
        }
    }
}
