package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which SDK is bundled into a script: names are mangled, but texts survive minifying. Each text was checked to stand in the
 * releases from the version given on, and not before.
 */
final class BundlePrint {
    private BundlePrint() {}

    /** A text that only an SDK (of some version on) has. */
    enum Mark {
        STDIO_SERVER("StdioServerTransport already started"),
        STDIO_CLIENT("StdioClientTransport already started"),
        UNKNOWN_MESSAGE("Received a response for an unknown message ID"),
        TOOLS_CAPABILITY("does not support tools (required for"),
        MCP_ERROR("MCP error "),
        DISCOVER("server/discover"),
        CLIENT_CAPABILITIES("io.modelcontextprotocol/clientCapabilities"),
        V1_3("A request handler for"),
        V1_6("Maximum total timeout exceeded"),
        V1_11("2025-03-26"),
        V1_13("2025-06-18"),
        V1_21("Input validation error: Invalid arguments"),
        V1_22("does not support completions"),
        V1_24("Invalid tools/call request"),
        V1_24_1("2025-11-25"),
        V1_30("ReadBuffer exceeded maximum size"),
        V1_32("arguments contain more than the maximum"),
        TMCP("Requests with per-request protocol metadata must include both"),
        FASTMCP("parameter validation failed: "),
        FASTMCP_ADVICE("Please check the parameter types"),
        XMCP("This MCP server was bootstrapped with xmcp");

        private final String text;

        Mark(String text) {
            this.text = text;
        }
    }

    /** The marks whose text stands anywhere in {@code source}. */
    static Set<Mark> marksIn(String source) {
        Set<Mark> found = EnumSet.noneOf(Mark.class);
        for (Mark mark : Mark.values()) {
            if (source.contains(mark.text)) {
                found.add(mark);
            }
        }
        return found;
    }

    /** The attribution that the marks decide; empty when they decide nothing. The version is never exact. */
    static Optional<SdkAttribution> decide(Set<Mark> marks, String where) {
        boolean server = marks.contains(Mark.STDIO_SERVER)
                || marks.contains(Mark.UNKNOWN_MESSAGE) && marks.contains(Mark.TOOLS_CAPABILITY) && !marks.contains(Mark.STDIO_CLIENT);
        boolean v1 = server && marks.contains(Mark.MCP_ERROR);
        boolean v2 = server && marks.contains(Mark.DISCOVER) && marks.contains(Mark.CLIENT_CAPABILITIES);
        if (marks.contains(Mark.XMCP)) {
            return Optional.of(found(SdkFamily.XMCP, official(v1, v2, marks), "bundled in " + where + ": a text of xmcp"));
        }
        if (marks.contains(Mark.FASTMCP) && marks.contains(Mark.FASTMCP_ADVICE)) {
            return Optional.of(found(SdkFamily.FASTMCP_TS, official(v1, false, marks), "bundled in " + where + ": texts of fastmcp"));
        }
        if (marks.contains(Mark.TMCP) && !server) {
            return Optional.of(found(SdkFamily.TMCP, "", "bundled in " + where + ": a text of tmcp"));
        }
        if (v1 && v2) {
            return Optional.of(SdkAttribution.unknown("bundled in " + where + ": texts of the official TypeScript SDK v1 and v2 both"));
        }
        if (v1) {
            return Optional.of(found(SdkFamily.OFFICIAL_TS, "", "bundled in " + where + ": texts of the official TypeScript SDK v1, " + range(marks)));
        }
        if (v2) {
            return Optional.of(found(SdkFamily.OFFICIAL_TS_V2, "", "bundled in " + where + ": texts of the official TypeScript SDK v2"));
        }
        return Optional.empty();
    }

    private static SdkAttribution found(SdkFamily family, String base, String evidence) {
        return new SdkAttribution(family, "", "", base, evidence);
    }

    private static String official(boolean v1, boolean v2, Set<Mark> marks) {
        return v1 == v2 ? "" : v1 ? SdkFamily.OFFICIAL_TS.id() + "@" + range(marks) : SdkFamily.OFFICIAL_TS_V2.id();
    }

    /** The newest mark that is there gives the floor; the oldest missing one that every bundle would hold gives the ceiling. */
    static String range(Set<Mark> marks) {
        String floor = marks.contains(Mark.V1_32) ? "1.32" : marks.contains(Mark.V1_30) ? "1.30" : marks.contains(Mark.V1_24_1) ? "1.24.1"
                : marks.contains(Mark.V1_24) ? "1.24.0" : marks.contains(Mark.V1_22) ? "1.22" : marks.contains(Mark.V1_21) ? "1.21"
                : marks.contains(Mark.V1_13) ? "1.13" : marks.contains(Mark.V1_11) ? "1.11" : marks.contains(Mark.V1_6) ? "1.6"
                : marks.contains(Mark.V1_3) ? "1.3" : "";
        String ceiling = !marks.contains(Mark.V1_3) ? "1.3" : !marks.contains(Mark.V1_6) ? "1.6" : !marks.contains(Mark.V1_11) ? "1.11"
                : !marks.contains(Mark.V1_13) ? "1.13" : !marks.contains(Mark.V1_24_1) ? "1.24.1" : !marks.contains(Mark.V1_30) ? "1.30" : "";
        return (floor.isEmpty() ? "" : ">=" + floor) + (floor.isEmpty() || ceiling.isEmpty() ? "" : " ") + (ceiling.isEmpty() ? "" : "<" + ceiling);
    }
}
