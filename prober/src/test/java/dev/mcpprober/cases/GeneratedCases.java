package dev.mcpprober.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A good server for each revision, and servers that are good but for one thing. */
final class GeneratedCases {
    /** Verdicts of rules that no case can show, because no script asks what they are about. */
    static final Set<String> NOT_SHOWN = Set.of(
            // No server says which of its tools are disabled.
            "sep-2145 tools-call-disabled: pass", "sep-2145 tools-call-disabled: fail",
            // Seen on answered calls alone, and those end in a warning at worst; the failures are those of a call without an answer.
            "sep-2145 output-schema-report: fail");

    private GeneratedCases() {}

    static List<CaseSpec> all() {
        List<CaseSpec> out = new ArrayList<>();
        for (char letter : "ABCDE".toCharArray()) {
            out.add(CaseSpec.of("good-" + CaseTools.date(letter), letter));
        }
        out.add(CaseSpec.of("good-dual", 'E').dual());
        out.addAll(MessageCases.all());
        out.addAll(ToolCases.all());
        out.addAll(ModernCases.all());
        out.addAll(FailureCases.all());
        return out;
    }
}
