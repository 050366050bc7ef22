package dev.mcpprober.toolfailure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExactJsonTest {
    @ParameterizedTest
    @ValueSource(strings = {"1e3", "1E+3", "1000.0", "1000", "-0", "0.10", "9007199254740993", "123456789012345678901234567890", "1e400", "1e99999999999"})
    void numbersStayAsWritten(String lexeme) {
        assertEquals(Optional.of(new ExactJson.Num(lexeme)), ExactJson.parse(lexeme));
        assertEquals("[" + lexeme + "]", ExactJson.parse("[ " + lexeme + " ]").orElseThrow().brief(100));
    }

    @Test
    void everyKindOfValue() {
        ExactJson value = ExactJson.parse("{\"a\":[null,true,false,\"x\\u00e9\\n\"],\"a\":{},\"b\":[]}").orElseThrow();
        assertEquals("{\"a\":{},\"b\":[]}", value.brief(100));
        assertEquals(new ExactJson.Arr(List.of(new ExactJson.Null(), new ExactJson.Bool(true), new ExactJson.Text("x"))), ExactJson.parse("[null,true,\"x\"]").orElseThrow());
        assertEquals("[null,true,\"x\",{\"k\":1e2}]", ExactJson.parse("[null, true, \"x\", {\"k\": 1e2}]").orElseThrow().brief(100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "[1,]", "1 2", "{\"a\":}", "tru", "01", "NaN"})
    void whatIsNoJsonIsNone(String text) {
        assertTrue(ExactJson.parse(text).isEmpty());
    }

    @Test
    void briefIsBriefWhateverTheSize() {
        String many = "[" + "{\"k\":\"v\"},".repeat(10_000) + "0]";
        assertTrue(ExactJson.parse(many).orElseThrow().brief(50).length() <= 51);
        assertTrue(ExactJson.parse("\"" + "x".repeat(100_000) + "\"").orElseThrow().brief(50).length() <= 51);
        assertEquals("\"a\uD83D\uDE00\"", new ExactJson.Text("a\uD83D\uDE00").brief(5));
        assertEquals("\"a…", new ExactJson.Text("a\uD83D\uDE00bcd").brief(3));
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 0", "5.0, 5, 0", "50e-1, 5, 0", "4.9999, 5, -1", "1e400, 9223372036854775807, 1", "-1e400, -9223372036854775808, -1",
        "9007199254740993, 9007199254740992, 1", "1e99999999999, 5, 1", "-1e99999999999, 5, -1", "1e-99999999999, 5, -1", "1e-99999999999, 0, 1", "0e99999999999, 0, 0"})
    void comparesExactly(String lexeme, long other, int expected) {
        assertEquals(expected, Integer.signum(new ExactJson.Num(lexeme).compareWith(other)));
    }
}
