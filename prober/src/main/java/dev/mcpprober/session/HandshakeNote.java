package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the driver took from the answer to {@code initialize} or {@code server/discover}, written as the detail of the step's
 * end and read back when the next session is planned. It decides how a session goes on, never a verdict.
 */
final class HandshakeNote {
    /** Followed by the revision that both sides use from here on. */
    static final String AGREED = "agreed:";
    /** An answer, but no session comes of it. */
    static final String NONE = "no-agreement";
    /** An error that only a modern server sends (revision 2026-07-28, or the number that drafts of it used). */
    static final String MODERN_ERROR = "modern-error";

    /** Of any step: the session's own time was up, which says nothing about the server. */
    static final String TIME_UP = "session timeout";

    private static final int PRE_RELEASE_UNSUPPORTED_VERSION = -32004;

    private HandshakeNote() {}

    static String ofError(JsonNode error) {
        JsonNode code = error.path("code");
        boolean recognised = code.isInt() && code.intValue() <= -32020 && code.intValue() >= -32022;
        JsonNode data = error.path("data");
        boolean draft = code.isInt() && code.intValue() == PRE_RELEASE_UNSUPPORTED_VERSION && (data.has("supported") || data.has("supportedVersions"));
        return recognised || draft ? MODERN_ERROR : NONE;
    }
}
