package io.rollcall.registry.dns;

import io.rollcall.registry.Instance;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.SRVRecord;

/**
 * Makes one weight of priority and weight. Only the instances of the best priority get traffic, by their weights; where those are all
 * 0, as servers answer that know of no weights, all get the same.
 *
 * @param best the lowest number
 * @param equal whether the best are not told apart by weight
 */
record Weights(int best, boolean equal) {

    private static final String PRIORITY = "priority";

    static Weights of(List<SRVRecord> records) {
        int best = records.stream().mapToInt(SRVRecord::getPriority).min().orElse(0);
        boolean equal = records.stream()
                .filter(record -> record.getPriority() == best)
                .allMatch(record -> record.getWeight() == 0);
        return new Weights(best, equal);
    }

    Map<String, String> metadata(SRVRecord record) {
        String priority = Integer.toString(record.getPriority());
        if (record.getPriority() != best) {
            return Map.of(Instance.WEIGHT, "0", PRIORITY, priority);
        }
        return equal
                ? Map.of(PRIORITY, priority)
                : Map.of(Instance.WEIGHT, Integer.toString(record.getWeight()), PRIORITY, priority);
    }
}
