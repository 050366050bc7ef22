package dev.mcpprober.observation;

/** What a step of a script is made for, where that is no check; the names that scripts use. */
final class Probe {
    static final String HANDSHAKE = "handshake";
    static final String LIVENESS = "liveness";
    static final String VALID_TWIN = "valid-twin";
    static final String AUTOPSY = "autopsy";
    static final String SECOND_WRONG_TYPE = "second-wrong-type";
    static final String ALL_TOOLS = "all-tools";

    private Probe() {}
}
