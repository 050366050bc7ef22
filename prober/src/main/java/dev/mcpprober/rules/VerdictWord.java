package dev.mcpprober.rules;

import java.util.Optional;

/** The words of {@link Verdict#word()}, in the order in which reports list them. */
public enum VerdictWord {
    PASS("pass"),
    FAIL("fail"),
    WARN("warn"),
    DIVERGENT("divergent"),
    INCONCLUSIVE("inconclusive"),
    NOT_APPLICABLE("not-applicable"),
    NOT_RUN("not-run");

    private final String id;

    VerdictWord(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** True for the verdicts that leave something to change: {@code fail}, {@code warn} and {@code divergent}. */
    public boolean wantsFix() {
        return this == FAIL || this == WARN || this == DIVERGENT;
    }

    public Verdict with(String note) {
        return switch (this) {
            case PASS -> new Verdict.Pass(note);
            case FAIL -> new Verdict.Fail(note);
            case WARN -> new Verdict.Warn(note);
            case DIVERGENT -> new Verdict.Divergent(note);
            case INCONCLUSIVE -> new Verdict.Inconclusive(note);
            case NOT_APPLICABLE -> new Verdict.NotApplicable(note);
            case NOT_RUN -> new Verdict.NotRun(note);
        };
    }

    public static VerdictWord of(Verdict verdict) {
        return of(verdict.word()).orElseThrow(() -> new IllegalStateException("no such verdict: " + verdict.word()));
    }

    public static Optional<VerdictWord> of(String id) {
        for (VerdictWord word : values()) {
            if (word.id.equals(id)) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }
}
