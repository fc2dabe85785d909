package io.rollcall.registration;

/** Where an instance stands in one registry. */
public enum RegistrationState {

    /** Armed; no attempt has ended yet. */
    PENDING,

    /** The registry lists the instance, as far as the last renewal tells. */
    REGISTERED,

    /** It was listed, but has not been renewed for so long that the registry has forgotten it; it is tried again. */
    LOST,

    /** The last attempt failed; it is tried again. */
    RETRYING,

    /** The registry refuses the instance, for example for wrong credentials; it is tried again at the longest delay. */
    FAILED,

    /** Taken out on request. */
    OFFLINE,

    /** Taken out because the application stops or does not accept traffic. */
    DEREGISTERED;

    /** Whether the instance was taken out and is meant to stay out. */
    public boolean isLeft() {
        return this == OFFLINE || this == DEREGISTERED;
    }
}
