package io.rollcall.sample;

import java.util.List;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.client.RestClient;

/** What a user would do with curl. */
public final class Http {

    private final RestClient client;

    public Http(String url) {
        client = RestClient.create(url);
    }

    public Greeting greeting() {
        return client.get().uri("/greeting").retrieve().body(Greeting.class);
    }

    /** The calls that the consumer has made since the one of that number. */
    public List<Map<String, Object>> callsAfter(long number) {
        return client.get().uri("/calls?after={number}", number).retrieve().body(new ParameterizedTypeReference<>() {});
    }

    public Map<String, Object> json(String path) {
        return client.get().uri(path).retrieve().body(new ParameterizedTypeReference<>() {});
    }

    public String text(String path) {
        return client.get().uri(path).retrieve().body(String.class);
    }

    public int status(String path) {
        return client.get()
                .uri(path)
                .exchange((request, response) -> response.getStatusCode().value());
    }

    public void post(String path) {
        client.post().uri(path).retrieve().toBodilessEntity();
    }
}
