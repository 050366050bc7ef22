package dev.mcpprober.toolfailure.client;

import dev.mcpprober.toolfailure.ExactJson;

/** What came for a request. Numbers are as they were written. */
public sealed interface Answer {
    /** The {@code result} of a response, whatever its type. */
    record Result(ExactJson value) implements Answer {}

    /** The {@code error} of a response. */
    record ProtocolError(ExactJson error) implements Answer {}

    /** Nothing that can be read; {@code why} is in our own words. */
    record Missing(String why) implements Answer {}
}
