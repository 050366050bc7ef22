package dev.mcpprober.session;

/** How much is asked of a target. */
public enum Profile {
    /** One session in the era that the server speaks; what an author wants in CI. */
    QUICK("quick"),
    /** Every session of the plan. */
    FULL("full");

    private final String id;

    Profile(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }
}
