package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LongLivedTests {

    @ParameterizedTest
    @CsvSource({
        "websocket,,true",
        "WebSocket,,true",
        "h2c,,false",
        ",text/event-stream,true",
        ",Text/Event-Stream; charset=utf-8,true",
        ",'application/json, text/event-stream',false",
        ",'text/event-stream, application/json',false",
        ",*/*,false",
        ",,false"
    })
    void areToldByTheirHeaders(String upgrade, String accept, boolean longLived) {
        assertThat(LongLived.announced(upgrade, accept)).isEqualTo(longLived);
    }

    @Test
    void areToldByTheResponse() {
        assertThat(LongLived.isEventStream("text/event-stream;charset=UTF-8")).isTrue();
        assertThat(LongLived.isEventStream("application/json")).isFalse();
        assertThat(LongLived.isEventStream(null)).isFalse();
    }
}
