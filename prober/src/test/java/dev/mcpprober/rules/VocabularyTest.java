package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Observed;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every word of the closed vocabulary goes through a rule file and comes back as itself. */
class VocabularyTest {
    private static RuleSet rules(String check, String level, String... outcomes) throws RuleSetException {
        StringBuilder text = new StringBuilder("id: mine\nversion: 1\ntitle: Mine.\nrules:\n  - check: " + check + "\n    level: " + level + "\n    revisions:\n");
        for (ProtocolRevision revision : ProtocolRevision.values()) {
            text.append("      ").append(revision.date()).append(": schema#X\n");
        }
        text.append("    requirement: R.\n    fix: F.\n    comment: C.\n    outcomes:\n");
        for (String outcome : outcomes) {
            text.append("      - {").append(outcome).append(", note: N.}\n");
        }
        return RuleSetParser.parse("mine.yaml", text.toString());
    }

    private static String word(RuleSet rules, String check, String seen) {
        return rules.rule(check, ProtocolRevision.V2025_11_25).orElseThrow().decide(Seen.of(check, "2025-11-25", Era.LEGACY, seen)).orElseThrow().verdict().id();
    }

    @ParameterizedTest
    @EnumSource(Check.class)
    void everyCheckWithEveryValue(Check check) throws RuleSetException {
        assertEquals(check, Check.of(check.id()).orElseThrow());
        assertTrue(check.observable().contains(Observed.NOT_RUN), check.id());
        for (String value : Vocabulary.observable(check.id()).orElseThrow()) {
            RuleSet rules = rules(check.id(), "must", "observed: \"" + value + "\", verdict: warn", "verdict: pass");
            assertEquals("warn", word(rules, check.id(), value), value);
            for (String other : Vocabulary.observable(check.id()).orElseThrow()) {
                assertEquals(other.equals(value) ? "warn" : "pass", word(rules, check.id(), other), value + " " + other);
            }
        }
    }

    @Test
    void everyFlagAndConsequence() throws RuleSetException {
        for (String flag : Vocabulary.FLAGS) {
            RuleSet rules = rules("ping", "must", "observed: result, has: \"" + flag + "\", verdict: fail", "verdict: pass");
            assertEquals("fail", word(rules, "ping", "result +" + flag), flag);
            assertEquals("pass", word(rules, "ping", "result"), flag);
        }
        for (String consequence : Vocabulary.CONSEQUENCES) {
            RuleSet rules = rules("tools-call-wrong-type", "must", "observed: success, consequence: " + consequence + ", verdict: fail", "verdict: pass");
            assertEquals("fail", word(rules, "tools-call-wrong-type", "success " + consequence), consequence);
            assertEquals("pass", word(rules, "tools-call-wrong-type", "success"), consequence);
        }
    }

    @Test
    void everyVerdictAndLevel() throws RuleSetException {
        for (VerdictWord verdict : VerdictWord.values()) {
            assertEquals(verdict.id(), word(rules("ping", "must", "verdict: " + verdict.id()), "ping", "result"));
            assertEquals(verdict, VerdictWord.of(verdict.with("n").word()).orElseThrow());
        }
        for (Level level : Level.values()) {
            assertEquals(level, rules("ping", level.id(), "verdict: pass").rules().get(0).level());
            assertEquals(level, Level.of(level.id()).orElseThrow());
        }
    }

    /** A value that no check can have is one that nobody can write a rule for. */
    @Test
    void everyObservedValueBelongsToACheck() throws IllegalAccessException {
        Set<String> used = new HashSet<>();
        Arrays.stream(Check.values()).forEach(check -> used.addAll(check.observable()));
        Set<String> unused = new TreeSet<>();
        for (Field field : Observed.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class && !used.contains((String) field.get(null))) {
                unused.add(field.getName());
            }
        }
        assertEquals(Set.of(), unused);
    }

    /** What is observed and judged by nobody is a rule that somebody forgot. */
    @Test
    void everyCheckHasARule() {
        assertEquals(List.of(), Arrays.stream(Check.values()).map(Check::id).filter(id -> Seen.BUNDLED.stream().noneMatch(rules -> rules.knows(id))).toList());
    }
}
