package io.rollcall.actuate;

import io.rollcall.registry.RegistryUrl;
import java.util.Set;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/**
 * Keeps registries' secrets out of the endpoints {@code env} and {@code configprops}, even where these may show values. Names of
 * properties are compared as Spring Boot binds them, since environment variables are written otherwise.
 */
final class RegistrySecrets implements SanitizingFunction {

    private static final String REGISTRIES = "rollcallregistries";

    /** Of many properties in one, which may be those of registries. */
    private static final String JSON = "springapplicationjson";

    private static final Set<String> SECRETS = Set.of("username", "password", "token");

    @Override
    public SanitizableData apply(SanitizableData data) {
        String name = data.getLowerCaseKey().replaceAll("[^a-z0-9]", "");
        Object value = data.getValue();
        if (name.equals(JSON) && value != null && value.toString().contains("registries")) {
            return data.withSanitizedValue();
        }
        if (!name.startsWith(REGISTRIES) || value == null) {
            return data;
        }
        if (SECRETS.stream().anyMatch(name::endsWith)) {
            return data.withSanitizedValue();
        }
        return name.endsWith("url") ? data.withValue(withoutSecrets(value.toString())) : data;
    }

    private static String withoutSecrets(String url) {
        try {
            return RegistryUrl.parse(url).toString();
        } catch (IllegalArgumentException ex) {
            return SanitizableData.SANITIZED_VALUE;
        }
    }
}
