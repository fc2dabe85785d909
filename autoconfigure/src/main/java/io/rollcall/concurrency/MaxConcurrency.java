package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.util.OptionalInt;

/**
 * A value of a {@code max-concurrency} property: a whole number from 1, or {@code auto}. Blanks around it and the case of
 * {@code auto} do not matter.
 *
 * @param property the full name of the property it came from, for failure analyses
 * @param number the fixed limit; empty for {@code auto}
 */
record MaxConcurrency(String property, OptionalInt number) {

    private static final String REMEDY = "Set a whole number from 1 to " + Integer.MAX_VALUE
            + ", or 'auto', or leave the property out for no limit.";

    static MaxConcurrency parse(String property, String value) {
        String text = value.strip();
        if (text.equalsIgnoreCase("auto")) {
            return new MaxConcurrency(property, OptionalInt.empty());
        }
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException ex) {
            throw invalid(property, value, text.isEmpty() ? "it is empty" : "it is no whole number in range");
        }
        if (number < 1) {
            throw invalid(property, value, "a limit below 1 would refuse every request");
        }
        return new MaxConcurrency(property, OptionalInt.of(number));
    }

    boolean auto() {
        return number.isEmpty();
    }

    @Override
    public String toString() {
        return auto() ? "auto" : Integer.toString(number.getAsInt());
    }

    private static InvalidConfigurationException invalid(String property, String value, String reason) {
        return new InvalidConfigurationException(property, value, reason, REMEDY);
    }
}
