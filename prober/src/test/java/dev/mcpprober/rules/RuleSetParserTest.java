package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleSetParserTest {
    private static final String GOOD = """
            id: house-rules
            version: 3
            title: Ours
            rules:
              - check: id-echo
                level: must
                revisions:
                  2025-06-18: here#there
                  2026-07-28: elsewhere
                requirement: Echo.
                fix: Do echo.
                comment: Why not.
                outcomes:
                  - {observed: conforms, verdict: pass, note: Good.}
                  - observed: violates
                    has: [id-null]
                    has-not: late
                    codes: [-32602, -32099..-32020]
                    verdict: warn
                    note: So so.
                    fix: Give the id.
                  - {observed: violates, verdict: fail, note: Bad.}
            """;

    private static List<String> problems(String text) {
        return assertThrows(RuleSetException.class, () -> RuleSetParser.parse("mine.yaml", text)).problems();
    }

    private static void single(String expected, String text) {
        assertEquals(List.of(expected), problems(text));
    }

    @Test
    void readsEverything() throws RuleSetException {
        RuleSet set = RuleSetParser.parse("mine.yaml", GOOD);
        assertEquals("house-rules@3", set.label());
        Rule rule = set.rule("id-echo", ProtocolRevision.V2025_06_18).orElseThrow();
        assertEquals("here#there", rule.citations().get(ProtocolRevision.V2025_06_18));
        assertTrue(set.rule("id-echo", ProtocolRevision.V2024_11_05).isEmpty());
        assertEquals(5, rule.line());
        Outcome second = rule.outcomes().get(1);
        assertEquals(List.of(new Match.Codes(-32602, -32602), new Match.Codes(-32099, -32020)), second.match().codes());
        assertEquals("Give the id.", second.fix());
        assertEquals(15, second.line());
        assertEquals("warn", rule.decide(Seen.of("id-echo", 'C', "violates -32050 +id-null")).orElseThrow().verdict().id());
        assertEquals("fail", rule.decide(Seen.of("id-echo", 'C', "violates -32050 +id-null +late")).orElseThrow().verdict().id());
        assertEquals("fail", rule.decide(Seen.of("id-echo", 'C', "violates -32050")).orElseThrow().verdict().id());
        assertEquals("fail", rule.decide(Seen.of("id-echo", 'C', "violates +id-null")).orElseThrow().verdict().id());
    }

    @Test
    void aListAmongOutcomesStandsForItsItems() throws RuleSetException {
        String shared = """
                shared:
                  - &both
                    - {observed: conforms, verdict: pass, note: Good.}
                    - {observed: violates, verdict: fail, note: Bad.}
                """;
        String rule = GOOD.substring(0, GOOD.indexOf("      - {observed: conforms")) + "      - *both\n";
        assertEquals(2, RuleSetParser.parse("mine.yaml", rule.replace("rules:", shared + "rules:")).rules().get(0).outcomes().size());
        assertTrue(problems(rule.replace("*both", "[[]]")).contains("mine.yaml:14: an outcome has to be a mapping"));
        assertTrue(problems(rule.replace("*both", "&self [*self]")).contains("mine.yaml:14: an outcome has to be a mapping"));
    }

    @Test
    void unknownKeysNameTheirLine() {
        single("mine.yaml:10: unknown key 'requirment' in a rule; known: check, comment, fix, level, outcomes, requirement, revisions",
                GOOD.replace("    requirement: Echo.\n", "    requirment: Echo.\n    requirement: Echo.\n"));
        single("mine.yaml:14: unknown key 'notes' in an outcome; known: codes, consequence, fix, has, has-not, note, observed, verdict",
                GOOD.replace("note: Good.}", "note: Good., notes: x}"));
        single("mine.yaml:4: unknown key 'author' in the rule set; known: id, rules, shared, title, version", GOOD.replace("rules:", "author: me\nrules:"));
    }

    @Test
    void whatIsNotInTheVocabularyIsRefused() {
        assertEquals("mine.yaml:5: no such check: 'id-ecko'", problems(GOOD.replace("check: id-echo", "check: id-ecko")).get(0));
        assertEquals("mine.yaml:14: 'conform' cannot be observed for id-echo; known: conforms, violates",
                problems(GOOD.replace("observed: conforms", "observed: [conforms, conform]")).get(0));
        assertTrue(problems(GOOD.replace("has: [id-null]", "has: [id-nil]")).get(0).startsWith("mine.yaml:16: 'id-nil' is no flag; known: "));
        assertTrue(problems(GOOD.replace("has: [id-null]", "consequence: death")).get(0)
                .startsWith("mine.yaml:16: 'death' is no consequence; known: empty-result, in-band-error, silent-execution, undetermined"));
        single("mine.yaml:8: no such revision: '2025-06-19'; known: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28",
                GOOD.replace("2025-06-18: here", "2025-06-19: here"));
        single("mine.yaml:6: no such level: 'shall'; known: must, should, described, none", GOOD.replace("level: must", "level: shall"));
        single("mine.yaml:14: no such verdict: 'ok'; known: pass, fail, warn, divergent, inconclusive, not-applicable, not-run",
                GOOD.replace("verdict: pass, note: Good.}", "verdict: ok, note: Good.}\n      - {observed: conforms, verdict: pass, note: Good.}"));
    }

    @Test
    void whatIsMissingIsNamed() {
        single("mine.yaml:5: a rule lacks 'comment'", GOOD.replace("    comment: Why not.\n", ""));
        single("mine.yaml:14: an outcome lacks 'note'", GOOD.replace(", note: Good.}", "}"));
        single("mine.yaml:22: 'fail' without a 'fix', here or in the rule for id-echo", GOOD.replace("    fix: Do echo.\n", "    # none\n"));
        single("mine.yaml:3: 'title' is empty", GOOD.replace("title: Ours", "title: ''"));
        single("mine.yaml:8: 'revisions' names no revision", GOOD.replace("\n      2025-06-18: here#there\n      2026-07-28: elsewhere", "\n      {}"));
        single("mine.yaml:1: the rule set lacks 'rules'", "id: a\nversion: 1\ntitle: b\n");
        single("mine.yaml:4: 'rules' is empty", "id: a\nversion: 1\ntitle: b\nrules: []\n");
    }

    @Test
    void whatCanNeverBeReachedIsNamed() {
        single("mine.yaml:15: this outcome of id-echo is never reached: the one of line 14 matches everything that it would",
                GOOD.replace("- {observed: conforms,", "- {observed: [violates, conforms],").replaceFirst("      - \\{observed: violates, .*\n", ""));
        single("mine.yaml:23: this outcome of id-echo is never reached: the one of line 22 matches everything that it would",
                GOOD + "      - {verdict: fail, observed: violates, codes: 3, note: Never.}\n");
        assertTrue(problems(GOOD.replace("has-not: late", "has-not: id-null")).get(0)
                .startsWith("mine.yaml:15: 'id-null' stands in 'has' and in 'has-not'"));
    }

    @Test
    void whatWouldBeLeftUndecidedIsNamed() {
        single("mine.yaml:14: id-echo has no outcome that takes 'violates' whatever its code, flags and consequence",
                GOOD.replaceFirst("      - \\{observed: violates, .*\n", ""));
    }

    @Test
    void twoRulesForOneRevisionAreRefused() {
        String second = GOOD.substring(GOOD.indexOf("  - check"));
        single("mine.yaml:23: a second rule for id-echo in 2025-06-18, 2026-07-28; the first is at line 5", GOOD + second);
        assertEquals(1, problems(GOOD + second.replace("2025-06-18", "2025-11-25")).size());
    }

    @Test
    void aKeyStandsOnce() {
        single("mine.yaml:7: 'level' stands twice in a rule", GOOD.replace("    level: must\n", "    level: must\n    level: should\n"));
    }

    @Test
    void numbersAndNamesHaveTheirForm() {
        single("mine.yaml:2: 'version' has to be a whole number from 1 on, not '0'", GOOD.replace("version: 3", "version: 0"));
        single("mine.yaml:1: 'id' has to be lower-case words joined by '-', not 'a@1'", GOOD.replace("house-rules", "a@1"));
        assertEquals("mine.yaml:18: '-32602.5' is neither a code nor a range of codes such as -32099..-32020", problems(GOOD.replace("[-32602,", "[-32602.5,")).get(0));
        assertEquals("mine.yaml:18: the range -32020..-32099 is empty: the lower code comes first", problems(GOOD.replace("-32099..-32020", "-32020..-32099")).get(0));
        assertTrue(problems(GOOD.replace("      - observed: violates\n        has", "      - verdict: warn\n        has").replace("        verdict: warn\n", ""))
                .get(0).startsWith("mine.yaml:18: 'codes' needs 'observed'"));
    }

    @Test
    void everythingWrongIsReportedAtOnce() {
        List<String> problems = problems(GOOD.replace("version: 3", "version: x").replace("level: must", "level: shall").replace("note: Good.", "note: ''"));
        assertEquals(List.of("mine.yaml:2", "mine.yaml:6", "mine.yaml:14"), problems.stream().map(p -> p.substring(0, p.indexOf(": "))).toList());
    }

    @Test
    void whatIsNoYamlNamesItsLine() {
        assertTrue(problems("id: a\nrules: [\n").get(0).startsWith("mine.yaml:3: not YAML: "));
        single("mine.yaml:1: empty", "");
        single("mine.yaml:1: the rule set has to be a mapping", "- a\n");
        single("mine.yaml:3: a second YAML document: a rule file is one document", "a: b\n---\nc: d\n");
        single("mine.yaml:4: 'rules' has to be a list", "id: a\nversion: 1\ntitle: b\nrules: c\n");
        assertTrue(problems("a: &a [*a]\n").get(0).startsWith("mine.yaml:1: "));
        assertTrue(problems("id: \u0000\n").get(0).startsWith("mine.yaml:"));
    }
}
