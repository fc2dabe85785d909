package io.rollcall.concurrency;

/** A setting of the concurrency limit that makes no sense; ends the start. */
@SuppressWarnings("serial")
final class InvalidConcurrencySettingException extends RuntimeException {

    private final String property;
    private final String value;
    private final String reason;
    private final String remedy;

    InvalidConcurrencySettingException(String property, Object value, String reason, String remedy) {
        super("Invalid value '" + value + "' of " + property + ": " + reason);
        this.property = property;
        this.value = String.valueOf(value);
        this.reason = reason;
        this.remedy = remedy;
    }

    String property() {
        return this.property;
    }

    String value() {
        return this.value;
    }

    String reason() {
        return this.reason;
    }

    String remedy() {
        return this.remedy;
    }
}
