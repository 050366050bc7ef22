package dev.mcpprober.dataset.compare;

import static dev.mcpprober.dataset.Column.flag;
import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.TargetState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables that a comparison writes. */
final class ComparisonTables {
    private static final List<String> WORDS = words();
    private static final List<String> STATES = Arrays.stream(TargetState.values()).map(TargetState::id).toList();

    static final TableSchema CHECKS = new TableSchema("checks",
            "One row for each check that both sides have a rule for. n = both_pass + to_fail + to_pass + both_fail + not_comparable.", List.of(
            plain("check", "Check; any: a server over all these checks, which fails where one of them does.").always(),
            integer("n", "Servers that started on both sides.").always(),
            integer("both_pass", "pass, warn or divergent on both sides.").always(),
            integer("to_fail", "pass, warn or divergent in A, fail in B.").always(),
            integer("to_pass", "fail in A; pass, warn or divergent in B.").always(),
            integer("both_fail", "fail on both sides.").always(),
            integer("not_comparable", "On one side at least the verdict is inconclusive, not-applicable or not-run, or there is none.").always(),
            integer("same", "Servers with the same verdict word on both sides (any: on the same side of fail); of two runs of the same servers the test-retest agreement is same / n.").always(),
            number("kappa", "Cohen's kappa of the verdict words; empty where only one word was ever given."),
            number("kappa_low", "Lower bound of its 95 % interval (Fleiss, Cohen and Everitt 1969)."),
            number("kappa_high", "Upper bound."),
            number("p", "Exact McNemar of to_fail against to_pass, two-sided; 1 where there is no flip.").always(),
            number("p_holm", "p adjusted by Holm for the number of checks with flips; empty where there is no flip."),
            integer("fail_only_a", "fail in A, anything else in B, undecided verdicts included.").always(),
            integer("fail_only_b", "fail in B, anything else in A, undecided verdicts included.").always(),
            number("p_fail", "Exact McNemar of fail_only_a against fail_only_b.").always()),
            List.of("check"), List.of());

    static final TableSchema TRANSITIONS = new TableSchema("transitions", "How often each pair of verdicts occurs. The counts of a check sum up to its n.", List.of(
            plain("check", "Check.").always(),
            oneOf("a", "Verdict in A; no-verdict where there is none.", WORDS).always(),
            oneOf("b", "Verdict in B.", WORDS).always(),
            integer("count", "Servers.").always()),
            List.of("check", "a", "b"), List.of(new TableSchema.ForeignKey(List.of("check"), "checks", List.of("check"))));

    static final TableSchema FLIPS = new TableSchema("flips", "Every server and check whose verdict is another word in B than in A.", List.of(
            plain("check", "Check.").always(),
            plain("target_id", "The target, of A where it is there.").always(),
            oneOf("kind", "to-fail and to-pass are the flips of table checks; other: a change that is neither.", List.of("to-fail", "to-pass", "other")).always(),
            flag("version_changed", "The server's version is another one in B.").always(),
            oneOf("a", "Verdict in A.", WORDS).always(),
            oneOf("b", "Verdict in B.", WORDS).always(),
            plain("a_observation", "Number within its target; see the data set of run A."),
            plain("b_observation", "The same of run B."),
            plain("a_seen", "What was observed: value, error code, consequence."),
            plain("b_seen", "The same in B."),
            plain("a_session", "Session that shows it."),
            plain("b_session", "The same in B."),
            plain("a_transcript", "Its file within run folder A."),
            plain("b_transcript", "Its file within run folder B."),
            plain("a_witness", "Indexes of events in that transcript, parted by semicolons."),
            plain("b_witness", "The same in B."),
            text("a_tool_text", "Tool that was called."),
            text("b_tool_text", "The same in B."),
            text("a_note_text", "Why the verdict follows."),
            text("b_note_text", "The same in B.")),
            List.of("check", "target_id"), List.of(new TableSchema.ForeignKey(List.of("check"), "checks", List.of("check"))));

    static final TableSchema TARGETS = new TableSchema("targets", "Every row of both frames, and what it was paired with.", List.of(
            plain("target_id", "The target in A, or in B where it is only there.").always(),
            oneOf("side", "Where it is.", List.of("both", "a", "b")).always(),
            oneOf("match", "same and version-changed: paired; only-a, only-b: the other frame has no such server; ambiguous: it has it more than once; "
                    + "excluded: left out by the frame.", Arrays.stream(Paired.Match.values()).map(Paired.Match::id).toList()).always(),
            plain("b_target_id", "The target in B, where it is on both sides."),
            oneOf("a_state", "Where the row ended in A.", STATES),
            oneOf("b_state", "Where the row ended in B.", STATES),
            plain("a_reason", "Why."),
            plain("b_reason", "Why."),
            plain("a_version", "Version in A."),
            plain("b_version", "Version in B.")),
            List.of("target_id", "side"), List.of());

    static final List<TableSchema> ALL = List.of(CHECKS, TRANSITIONS, FLIPS, TARGETS);

    private ComparisonTables() {}

    private static List<String> words() {
        List<String> words = new ArrayList<>(Arrays.stream(VerdictWord.values()).map(VerdictWord::id).toList());
        words.add(CheckTally.NO_VERDICT);
        return words;
    }
}
