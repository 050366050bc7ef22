package dev.mcpprober.model;

/**
 * The two protocol generations. {@link #LEGACY} opens with the {@code initialize} handshake (revisions up to 2025-11-25);
 * {@link #MODERN} carries {@code _meta} on every request (2026-07-28 on).
 */
public enum Era {
    LEGACY("legacy"),
    MODERN("modern");

    private final String id;

    Era(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** @throws IllegalArgumentException when {@code id} names no era */
    public static Era of(String id) {
        for (Era era : values()) {
            if (era.id.equals(id)) {
                return era;
            }
        }
        throw new IllegalArgumentException("no such era: " + id);
    }
}
