package io.rollcall;

import org.jspecify.annotations.Nullable;

/** A property of Rollcall's has a value that can not be; the start fails with an analysis that shows all of it. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;

    private final @Nullable String value;

    private final String reason;

    private final String remedy;

    /**
     * @param property the full name of the property
     * @param value its value without any secret, or null if it has none
     * @param reason what is wrong with it, to follow "because"
     * @param remedy what to do, a sentence
     */
    public InvalidConfigurationException(String property, @Nullable String value, String reason, String remedy) {
        super("Property '" + property + "'" + (value == null ? "" : " with value '" + value + "'") + " is invalid: "
                + reason);
        this.property = property;
        this.value = value;
        this.reason = reason;
        this.remedy = remedy;
    }

    /** The full name of the property. */
    public String getProperty() {
        return property;
    }

    /** Its value without any secret, or null if it has none. */
    public @Nullable String getValue() {
        return value;
    }

    /** What is wrong. */
    public String getReason() {
        return reason;
    }

    /** What to do. */
    public String getRemedy() {
        return remedy;
    }
}
