package io.rollcall.registry.dns;

import java.io.IOException;

/** Asks for a service's records and makes instances of them. Thread-safe. */
interface RecordReader {

    /** The name that is asked for. */
    String name(String service);

    Answer read(String service) throws IOException, InterruptedException;
}
