package dev.mcpprober.observation;

import java.util.List;

/** What came of a call with bad arguments that was not refused as one. */
public final class Consequence {
    private Consequence() {}

    /** The tool ran on the bad arguments as on good ones. */
    public static final String SILENT_EXECUTION = "silent-execution";
    /** The result is a success whose content reports an error. */
    public static final String IN_BAND_ERROR = "in-band-error";
    /** The result holds nothing. */
    public static final String EMPTY_RESULT = "empty-result";
    /** The result does not show which of these it was. */
    public static final String UNDETERMINED = "undetermined";

    public static final List<String> ALL = List.of(SILENT_EXECUTION, IN_BAND_ERROR, EMPTY_RESULT, UNDETERMINED);
}
