package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    @Test
    void aBreachIsExplainedFromHeadlineToFix() {
        Observation seen = new Observation.Reaction(new Subject("tools-call-wrong-type", "legacy-full", Era.LEGACY, "2025-11-25", "add", "count", true),
                "success", null, Set.of("error-text", "coercible"), "in-band-error", "Error: count", List.of(7, 8));
        Explanation text = Explanation.of(Seen.grade(seen));
        assertEquals("warn[tools-call-wrong-type]: The value was accepted; it can be converted to the declared type.", text.headline());
        assertEquals("revision 2025-11-25, session legacy-full, tool add, argument count", text.where());
        assertEquals("success in-band-error +coercible +error-text: Error: count", text.seen());
        assertEquals("server/tools#error-handling; server/tools#security-considerations; schema#CallToolResult", text.citation());
        assertEquals("Check the arguments of a call against the tool's inputSchema before running it, and refuse what does not fit with isError true "
                + "and a text that says why.", text.fix());
    }

    @Test
    void whatNoRuleAppliesToSaysSo() {
        Explanation text = Explanation.of(Seen.grade(Seen.of("ping", "", Era.MODERN, "no-response")));
        assertEquals("not-applicable[ping]: No revision of this era puts such a demand.", text.headline());
        assertEquals("before a revision was agreed on, session modern", text.where());
        assertEquals("no-response", text.seen());
        assertEquals("", text.requirement() + text.citation() + text.fix());
    }

    @Test
    void aCodeStandsBesideWhatWasObserved() {
        assertEquals("protocol-error -32601", Explanation.of(Seen.grade(Seen.of("ping", 'A', "protocol-error -32601"))).seen());
    }
}
