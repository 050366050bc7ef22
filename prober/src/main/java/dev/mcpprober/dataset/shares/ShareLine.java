package dev.mcpprober.dataset.shares;

import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Proportion;

/**
 * One share with all that is needed to judge it.
 *
 * @param of           what is counted
 * @param group        which servers, e.g. {@code sdk_family official-ts}
 * @param share        over publishers
 * @param onePerPublisher over one server of each publisher, the one whose target id has the lowest SHA-256
 */
public record ShareLine(Figure of, Group group, ClusteredShare share, Proportion onePerPublisher) {
    /**
     * @param figure  see {@link ShareTable}
     * @param ruleSet {@code none} where no rule set is behind it
     * @param check   {@code none} where it is of no single check
     * @param value   what is counted
     */
    public record Figure(String figure, String ruleSet, String check, String value) {}

    /**
     * @param by    dimension
     * @param value of it
     */
    public record Group(String by, String value) {}

    /** How the interval is made: {@code wilson}, or {@code wilson-neff} where a publisher has several servers. */
    public String method() {
        return share.publishers() == share.all().n() ? "wilson" : "wilson-neff";
    }
}
