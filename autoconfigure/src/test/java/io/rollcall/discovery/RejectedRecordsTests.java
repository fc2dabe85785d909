package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Listing.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RejectedRecordsTests {

    private static final RejectedRecord BAD = new RejectedRecord("/orders/bad", "no data");

    private final RejectedRecords rejected = new RejectedRecords("redis");

    private static long lines(CapturedOutput output) {
        return output.getAll().lines().filter(line -> line.contains("Skipping")).count();
    }

    @Test
    void tellsOfARecordOnceAndOfEveryChange(CapturedOutput output) {
        rejected.take("orders", List.of(BAD));
        rejected.take("orders", List.of(BAD));
        assertThat(output).contains("Skipping /orders/bad in redis: no data");
        assertThat(lines(output)).isOne();
        assertThat(rejected.count()).isOne();

        rejected.take("orders", List.of(new RejectedRecord("/orders/bad", "no JSON")));
        assertThat(rejected.count()).isEqualTo(2);
        rejected.take("orders", List.of());
        rejected.take("orders", List.of(BAD));

        assertThat(lines(output)).isEqualTo(3);
        assertThat(rejected.count()).isEqualTo(3);
    }

    @Test
    void servicesDoNotDisturbEachOther() {
        rejected.take("orders", List.of(BAD));
        rejected.take("stock", List.of());
        rejected.take("stock", List.of(new RejectedRecord("/stock/bad", "no data")));
        rejected.take("orders", List.of(BAD));

        assertThat(rejected.count()).isEqualTo(2);
    }

    @Test
    void aHundredThousandAreCountedAndAThousandTold(CapturedOutput output) {
        List<RejectedRecord> many = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            many.add(new RejectedRecord("/orders/" + i, "no data"));
        }

        rejected.take("orders", many);
        rejected.take("orders", many);

        assertThat(rejected.count()).isEqualTo(100_000);
        assertThat(lines(output)).isEqualTo(1001);
        assertThat(output).contains("Skipping 99000 more records of orders in redis");
    }

    @Test
    void whatWasToldIsNotToldAgainWhenOthersComeBeforeIt(CapturedOutput output) {
        List<RejectedRecord> many = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            many.add(0, new RejectedRecord("/orders/" + i, "no data"));
            if (i % 500 == 499) {
                rejected.take("orders", many);
            }
        }

        assertThat(rejected.count()).isEqualTo(2_000);
        assertThat(lines(output)).isEqualTo(1_002);
    }

    @Test
    void aRecordCanNotWriteLinesOfItsOwnNorLongOnes(CapturedOutput output) {
        rejected.take(
                "orders",
                List.of(new RejectedRecord("a\nWARN b\u001b[2J\r" + "x".repeat(1_000_000), "y".repeat(1_000_000))));

        assertThat(lines(output)).isOne();
        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("Skipping"))
                .allSatisfy(
                        line -> assertThat(line).contains("a?WARN b?[2J?xxx").hasSizeLessThan(600));
        assertThat(output.getAll().lines()).noneMatch(line -> line.startsWith("WARN b"));
    }
}
