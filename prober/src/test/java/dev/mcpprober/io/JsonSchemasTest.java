package dev.mcpprober.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.JsonSchemas.Dialect;
import dev.mcpprober.io.JsonSchemas.UnusableSchemaException;
import org.junit.jupiter.api.Test;

/** Schemas are written by servers: whatever they say, a question about them ends. */
class JsonSchemasTest {
    private static JsonNode json(String text) {
        return ((Json.Parsed.Value) Json.parse(text.replace('\'', '"'))).node();
    }

    private static boolean valid(String schema, String instance) throws UnusableSchemaException {
        return JsonSchemas.faultsOfInstance(json(schema), Dialect.DRAFT_2020_12, json(instance)).isEmpty();
    }

    @Test
    void patternsAreSearchedForAsBefore() throws UnusableSchemaException {
        assertTrue(valid("{'pattern':'^[a-z]{3}$'}", "'abc'"));
        assertFalse(valid("{'pattern':'^[a-z]{3}$'}", "'abcd'"));
        assertTrue(valid("{'pattern':'b'}", "'abc'"));
        assertFalse(valid("{'patternProperties':{'^x':false}}", "{'xy':1}"));
    }

    @Test
    void aPatternThatWouldBacktrackForEverIsNotJudgedBy() {
        assertThrows(UnusableSchemaException.class, () -> valid("{'pattern':'((x|x)+)+$z'}", "'" + "x".repeat(64) + "'"));
    }

    @Test
    void referencesThatMultiplyAreNotFollowedForEver() {
        ObjectNode schema = (ObjectNode) json("{'allOf':[{'$ref':'#/$defs/d0'}],'$defs':{'d40':{'type':'string'}}}");
        for (int i = 0; i < 40; i++) {
            String next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
            ((ObjectNode) schema.get("$defs")).set("d" + i, json("{'allOf':[" + next + "," + next + "]}"));
        }
        assertThrows(UnusableSchemaException.class, () -> JsonSchemas.faultsOfInstance(schema, Dialect.DRAFT_2020_12, json("'a'")));
    }

    @Test
    void aSchemaNestedDeepIsLeftOpen() {
        JsonNode deep = json("{'type':'string'}");
        for (int i = 0; i < 20_000; i++) {
            deep = Json.object().set("not", deep);
        }
        JsonNode schema = deep;
        assertThrows(UnusableSchemaException.class, () -> JsonSchemas.faultsOfSchema(schema, Dialect.DRAFT_2020_12));
        assertThrows(UnusableSchemaException.class, () -> JsonSchemas.faultsOfInstance(schema, Dialect.DRAFT_2020_12, json("'a'")));
    }

    @Test
    void workIsShared() {
        Work work = new Work(3_000);
        assertThrows(UnusableSchemaException.class, () -> {
            for (int i = 0; i < 1_000; i++) {
                assertEquals(0, JsonSchemas.faultsOfInstance(json("{'type':'string'}"), Dialect.DRAFT_2020_12, json("'a'"), work).size());
            }
        });
    }
}
