package dev.mcpprober.model;

import java.util.Optional;

/** The dated protocol revisions that rule sets know, oldest first. */
public enum ProtocolRevision {
    V2024_11_05("2024-11-05", Era.LEGACY),
    V2025_03_26("2025-03-26", Era.LEGACY),
    V2025_06_18("2025-06-18", Era.LEGACY),
    V2025_11_25("2025-11-25", Era.LEGACY),
    V2026_07_28("2026-07-28", Era.MODERN);

    /** What a legacy session offers unless told otherwise. */
    public static final ProtocolRevision NEWEST_LEGACY = V2025_11_25;
    public static final ProtocolRevision NEWEST_MODERN = V2026_07_28;

    private final String date;
    private final Era era;

    ProtocolRevision(String date, Era era) {
        this.date = date;
        this.era = era;
    }

    /** The revision as it stands on the wire, e.g. {@code 2025-06-18}. */
    public String date() {
        return date;
    }

    public Era era() {
        return era;
    }

    public boolean atLeast(ProtocolRevision other) {
        return compareTo(other) >= 0;
    }

    /** Empty when the text is no revision that we know: a server may answer anything. */
    public static Optional<ProtocolRevision> of(String date) {
        for (ProtocolRevision revision : values()) {
            if (revision.date.equals(date)) {
                return Optional.of(revision);
            }
        }
        return Optional.empty();
    }
}
