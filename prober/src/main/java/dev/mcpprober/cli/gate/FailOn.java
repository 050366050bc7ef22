package dev.mcpprober.cli.gate;

import dev.mcpprober.rules.VerdictWord;

/** From which verdict on a check of one server counts as failed. */
public enum FailOn {
    fail, warn, divergent;

    /** True for the verdicts that are this bad or worse. */
    public boolean reaches(String verdict) {
        return isFinding(verdict) && valueOf(verdict).ordinal() <= ordinal();
    }

    /** True for {@code fail}, {@code warn} and {@code divergent}: what leaves something to change. */
    public static boolean isFinding(String verdict) {
        return VerdictWord.of(verdict).filter(VerdictWord::wantsFix).isPresent();
    }
}
