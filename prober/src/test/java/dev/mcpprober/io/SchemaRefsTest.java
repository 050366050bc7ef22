package dev.mcpprober.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References and patterns of schemas, without following any. */
class SchemaRefsTest {
    private static SchemaRefs refs(String text) {
        JsonNode schema = ((Json.Parsed.Value) Json.parse(text.replace('\'', '"'))).node();
        return SchemaRefs.of(schema);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'$ref':'#'}", "{'properties':{'a':{'$ref':'#/$defs/x'}},'$defs':{'x':{}}}", "{'items':{'$ref':'#/definitions/a~1b'},'definitions':{'a/b':{}}}",
        "{'items':{'$ref':'#/$defs/a%20b'},'$defs':{'a b':{}}}", "{'allOf':[{'$ref':'#n'}],'$defs':{'x':{'$anchor':'n'}}}", "{'$ref':'#n','definitions':{'x':{'$id':'#n'}}}",
        "{'properties':{'a':{'type':'string'},'b':{'$ref':'#/properties/a'}}}", "{'anyOf':[{'type':'string'},{'$ref':'#/anyOf/0'}]}",
        "{'$defs':{'in':{'$id':'https://x.example/in','$ref':'#/$defs/deep','$defs':{'deep':{}}}}}", "{'$defs':{'in':{'$id':'in.json','$ref':'#/$defs/in'}}}",
        "{'$id':'https://x.example/root','items':{'$ref':'other'},'$defs':{'o':{'$id':'other'}}}", "{'$ref':'https://x.example/y'}",
        "{'properties':{'$ref':{'type':'string'}}}", "{'enum':[{'$ref':'#/nowhere'}]}", "{'default':{'$ref':'#/nowhere'},'const':{'$ref':'#/nowhere'}}",
        "{'x-note':{'$ref':'#/nowhere'}}", "{'$ref':{'not':'text'}}", "true", "null", "[]",
        "{'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}"})
    void whatLeadsSomewhereDoesNotDangle(String schema) {
        assertEquals(Optional.empty(), refs(schema).dangling(), schema);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'$ref':'#/$defs/x'}", "{'properties':{'a':{'items':{'$ref':'#/definitions/x'}}},'$defs':{'x':{}}}", "{'$ref':'#anchor'}",
        "{'not':{'$ref':'schema.json#/x'}}", "{'patternProperties':{'^a':{'$ref':'#/nowhere'}}}", "{'items':[{'$ref':'#/items/7'}]}", "{'$dynamicRef':'#node'}"})
    void whatLeadsNowhereDangles(String schema) {
        assertEquals(true, refs(schema).dangling().isPresent(), schema);
    }

    @Test
    void otherHostsAreNamedAndTheDialectsThemselvesAreNot() {
        assertEquals(Set.of("https://x.example/y#/a", "http://z.example/s.json"), refs("{'items':{'$ref':'https://x.example/y#/a'},'$defs':{'q':{'$ref':'http://z.example/s.json'}}}").network());
        assertEquals(Set.of("part.json"), refs("{'$id':'https://x.example/root','items':{'$ref':'part.json'}}").network());
        assertEquals(Set.of(), refs("{'$schema':'http://json-schema.org/draft-07/schema#','$id':'https://x.example/me','properties':{'s':{'$ref':'http://json-schema.org/draft-07/schema#'},"
                + "'me':{'$ref':'https://x.example/me'},'here':{'$ref':'#/properties/s'}}}").network());
        assertEquals(Set.of(), refs("{'enum':[{'$ref':'https://x.example/y'}]}").network());
    }

    @Test
    void patternsAreThoseOfSchemas() {
        assertEquals(Set.of("^a", "b+", "c"), refs("{'properties':{'pattern':{'pattern':'^a'}},'patternProperties':{'b+':{'items':{'pattern':'c'}}},'default':{'pattern':'('}}").patterns());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "^[a-z]{2,5}$", "a|b|", "(?:x)+?", "(?<year>\\d{4})-\\k<year>", "^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$", "[\\w.\\-]+", "\\p{L}+\\P{Script=Greek}", "\\u{1F600}|\\u00e9|\\x41",
        "^\\S+@\\S+\\.\\S+$", "[^]", "[]", "\\/\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|", "(a)\\1", "\\cA", "[\\b]", "\\bword\\B", "\uD83D\uDE00?"})
    void expressionsThatEveryEngineReads(String pattern) {
        assertEquals(Optional.empty(), EcmaPattern.fault(pattern), pattern);
    }

    @Test
    void expressionsThatSomeEnginesDoNotRead() {
        for (String pattern : List.of("(?P<year>\\d+)", "(?i)abc", "a*+", "(?>a)", "\\Aabc\\Z", "[a-z", "(", ")", "a)", "*a", "a{", "a{,3}", "}", "]", "\\", "\\-", "\\_", "\\@", "^*", "(?=a)+", "\\k<", "[[:alpha:]]+]",
            "\\p{", "(?<1>a)", "\\01")) {
            assertEquals(true, EcmaPattern.fault(pattern).isPresent(), pattern);
        }
    }

    @Test
    void aPatternOfAnyDepthIsReadInOnePass() {
        assertEquals(Optional.empty(), EcmaPattern.fault("(".repeat(100_000)));
        assertEquals(Optional.empty(), EcmaPattern.fault("a?".repeat(100_000)));
    }
}
