package dev.mcpprober.session;

/** How much is asked of a target. */
public enum Profile {
    /** One session in the era that the server speaks; what an author wants in CI. */
    QUICK("quick"),
    /** Every session of the plan. */
    FULL("full"),
    /** The same, and a handshake for every revision that can be offered, each in a process of its own. */
    QUICK_VERSIONS("quick+versions"),
    FULL_VERSIONS("full+versions");

    private final String id;

    Profile(String id) {
        this.id = id;
    }

    boolean quick() {
        return this == QUICK || this == QUICK_VERSIONS;
    }

    boolean versions() {
        return this == QUICK_VERSIONS || this == FULL_VERSIONS;
    }

    public Profile withVersions() {
        return quick() ? QUICK_VERSIONS : FULL_VERSIONS;
    }

    public String id() {
        return id;
    }
}
