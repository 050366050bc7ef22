package dev.mcpprober.observation;

/** Subjects of one session. */
final class Subjects {
    private Subjects() {}

    static Subject of(Check check, SessionLog log) {
        return new Subject(check.id(), log.name(), log.era(), log.handshake().revision(), null, null, false);
    }

    static Subject ofTool(Check check, SessionLog log, String tool) {
        return new Subject(check.id(), log.name(), log.era(), log.handshake().revision(), tool, null, false);
    }

    static Subject ofCall(Check check, SessionLog log, StepView step) {
        return new Subject(check.id(), log.name(), log.era(), log.handshake().revision(), emptyToNull(step.about("tool")),
                emptyToNull(step.about("property")), step.primary());
    }

    private static String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
