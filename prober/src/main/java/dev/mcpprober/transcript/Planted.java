package dev.mcpprober.transcript;

/**
 * A variable that every session's server has in its environment. It means nothing and nobody else makes up its value, so that a text of the
 * server's that holds the value was made from its environment.
 */
public final class Planted {
    public static final String NAME = "MCP_PROBER_CANARY";
    public static final String VALUE = "canary-9f4b27d1c6e8";

    private Planted() {}
}
