package dev.mcpprober.redaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleFileTest {
    @TempDir Path folder;

    private CredentialRules rules(String text) throws Exception {
        return RuleFile.read(Files.writeString(folder.resolve("rules.toml"), text));
    }

    private String redacted(String rules, String text) throws Exception {
        return Redactor.of(rules(rules), List.of()).text(text);
    }

    private String refusal(String text) {
        String message = assertThrows(RuleFileException.class, () -> rules(text)).getMessage();
        assertTrue(message.startsWith(folder.resolve("rules.toml").toString()), message);
        return message.substring(folder.resolve("rules.toml").toString().length());
    }

    @Test
    void theSecretIsTheGroupThatTheRuleNamesElseTheFirstOneThatTookPart() throws Exception {
        String rule = "[[rules]]\nid = \"r\"\nregex = '''(a+)?k=(b+)(c+)'''\nkeywords = [\"K=\"]\n";
        assertEquals("k=[REDACTED:r]cc", redacted(rule, "k=bbcc"));
        assertEquals("k=bb[REDACTED:r]", redacted(rule + "secretGroup = 3\n", "k=bbcc"));
        assertEquals("x[REDACTED:r]y", redacted("[[rules]]\nid = \"r\"\nregex = '''k=b+'''\n", "xk=bby"));
    }

    @Test
    void aRuleIsTriedOnlyNearItsKeywords() throws Exception {
        String rule = "[[rules]]\nid = \"r\"\nregex = '''z\\d+'''\nkeywords = [\"Token\"]\n";
        assertEquals("z123", redacted(rule, "z123"));
        assertEquals("tOKEN [REDACTED:r]", redacted(rule, "tOKEN z123"));
        assertEquals("token" + " ".repeat(5000) + "z123", redacted(rule, "token" + " ".repeat(5000) + "z123"));
    }

    @Test
    void entropyAndAllowlistsAsInGitleaks() throws Exception {
        String rule = "[[rules]]\nid = \"r\"\nregex = '''k=(\\w+)'''\nentropy = 2.0\n";
        assertEquals("k=aaaa k=[REDACTED:r]", redacted(rule, "k=aaaa k=abcdefgh"));
        assertEquals("k=abcdEXAMPLEfgh", redacted(rule + "[rules.allowlist]\nstopwords = [\"example\"]\n", "k=abcdEXAMPLEfgh"));
        assertEquals("k=abcdefgh k=[REDACTED:r]", redacted(rule + "[[rules.allowlists]]\nregexes = ['''^abcd''']\n", "k=abcdefgh k=hgfedcba"));
        assertEquals("k=abcdefgh", redacted(rule + "[[rules.allowlists]]\nregexTarget = \"match\"\nregexes = ['''^k=abcd''']\n", "k=abcdefgh"));
        assertEquals("sample k=abcdefgh\nk=[REDACTED:r]", redacted(rule + "[[rules.allowlists]]\nregexTarget = \"line\"\nregexes = ['''sample''']\n", "sample k=abcdefgh\nk=hgfedcba"));
        String both = rule + "[[rules.allowlists]]\ncondition = \"AND\"\nregexes = ['''^abcd''']\nstopwords = [\"gh\"]\n";
        assertEquals("k=abcdefgh k=[REDACTED:r]", redacted(both, "k=abcdefgh k=abcdefxy"));
        // There are no paths here, so that a condition that wants one too is not met.
        assertEquals("k=[REDACTED:r]", redacted(rule + "[[rules.allowlists]]\ncondition = \"AND\"\npaths = ['''.*''']\nregexes = ['''^abcd''']\n", "k=abcdefgh"));
        assertEquals("k=abcdefgh", redacted("[allowlist]\nregexes = ['''^abcd''']\n" + rule, "k=abcdefgh"));
        assertEquals("k=[REDACTED:r]", redacted("[[allowlists]]\ntargetRules = [\"other\"]\nregexes = ['''^abcd''']\n" + rule, "k=abcdefgh"));
    }

    @Test
    void rulesForPathsAloneAreLeftOutAndRulesOfTheUserComeBesidesOurs() throws Exception {
        CredentialRules own = rules("[[rules]]\nid = \"p\"\npath = '''\\.p12$'''\n[[rules]]\nid = \"ours\"\nregex = '''zz\\d{4}'''\n");
        assertTrue(own.labels().get(0).matches("rules@[0-9a-f]{12} \\(1 rules\\)"), own.labels().toString());
        Redactor redactor = Redactor.of(CredentialRules.bundled().and(own), List.of());
        assertEquals("[REDACTED:ours] [REDACTED:github-token]", redactor.text("zz1234 " + Secrets.GITHUB));
        assertEquals(2, redactor.labels().size());
        assertTrue(redactor.labels().get(0).startsWith("prober@2 ("), redactor.labels().toString());
    }

    @Test
    void aBadFileIsRefusedByLineOrRule() {
        assertTrue(refusal("[[rules]\nid = 1").startsWith(", line 1, column "), refusal("[[rules]\nid = 1"));
        assertEquals(": holds no [[rules]]; name a file of rules in gitleaks' format", refusal("title = \"x\"\n"));
        assertEquals(", rule 1: its id is missing; give it one, it goes into the place of what the rule finds", refusal("[[rules]]\nregex = 'x'\n"));
        assertTrue(refusal("[[rules]]\nid = \"a]b\"\nregex = 'x'\n").contains("rule 1: its id \"a]b\" is not made of"));
        assertEquals(", rule 2 (a): a rule of this id stands before it; give each its own", refusal("[[rules]]\nid = \"a\"\nregex = 'x'\n[[rules]]\nid = \"a\"\nregex = 'y'\n"));
        assertTrue(refusal("[[rules]]\nid = \"a\"\nregex = '(?=x)'\n").startsWith(", rule 1 (a), regex: "));
        assertTrue(refusal("[[rules]]\nid = \"a\"\nregex = '(x)'\nsecretGroup = 2\n").endsWith("secretGroup 2, the regex has 1 groups"));
        assertEquals(", rule 1 (a): has neither regex nor path; give it a regex", refusal("[[rules]]\nid = \"a\"\n"));
        assertEquals(", rule 1 (a): keywords is no list of texts", refusal("[[rules]]\nid = \"a\"\nregex = 'x'\nkeywords = \"x\"\n"));
        assertEquals(", rule 1 (a): entropy is no number", refusal("[[rules]]\nid = \"a\"\nregex = 'x'\nentropy = \"high\"\n"));
        assertEquals(": rules is no list of tables; begin each with [[rules]]", refusal("rules = 1\n"));
        assertTrue(refusal("[extend]\nuseDefault = true\n[[rules]]\nid = \"a\"\nregex = 'x'\n").contains("name a file that holds all of them"));
        assertTrue(refusal("[[rules]]\nid = \"a\"\nregex = 'x'\n[[rules.allowlists]]\nregexTarget = \"file\"\n").contains("regexTarget \"file\" is none of"));
        assertTrue(assertThrows(RuleFileException.class, () -> RuleFile.read(folder.resolve("none.toml"))).getMessage().contains("no such file; name a file"));
    }
}
