package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listings may be made to take for ever; planning a call ends, with the best that was found. */
class CallPlannerTest {
    private static ToolListing tools(int count, IntFunction<String> schema) {
        ObjectNode page = Json.object();
        ArrayNode tools = page.putArray("tools");
        for (int i = 0; i < count; i++) {
            tools.addObject().put("name", "t" + i).set("inputSchema", ((Json.Parsed.Value) Json.parse(schema.apply(i).replace('\'', '"'))).node());
        }
        ToolListing listing = new ToolListing();
        listing.addPage(page);
        return listing;
    }

    private static CallPlanner planner(ToolListing listing) {
        return new CallPlanner(listing, false, "x");
    }

    private static String schema(int properties, String each) {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode declared = schema.putObject("properties");
        ArrayNode required = schema.putArray("required");
        for (int i = 0; i < properties; i++) {
            declared.set("p" + i, ((Json.Parsed.Value) Json.parse(each.replace('\'', '"'))).node());
            required.add("p" + i);
        }
        return Json.write(schema);
    }

    /** Such a property is none to leave out or to give a wrong type: servers fill it in. */
    @Test
    void aDefaultMayStandBesideAReference() {
        ToolListing listing = tools(1, i -> "{'type':'object','properties':{'a':{'$ref':'#/$defs/n','default':3},'b':{'$ref':'#/$defs/n','description':'b'}},"
                + "'required':['a','b'],'$defs':{'n':{'type':'integer'}}}");
        assertEquals("b", planner(listing).plan(Step.CallKind.WRONG_TYPE).planned().property());
        assertEquals("b", planner(listing).plan(Step.CallKind.MISSING_REQUIRED).planned().property());
    }

    @ParameterizedTest
    @EnumSource(value = Step.CallKind.class, names = {"WRONG_TYPE", "MISSING_REQUIRED", "VALID"})
    void aSchemaWithThousandsOfRequiredArgumentsIsGivenUp(Step.CallKind kind) {
        CallPlanner.Choice choice = planner(tools(1, i -> schema(20_000, "{'type':'string'}"))).plan(kind);
        assertNull(choice.planned());
        assertEquals("the schemas of the tools take too much work to build arguments for", choice.reason());
    }

    @Test
    void whatWasFoundBeforeTheWorkRanOutIsUsed() {
        ToolListing listing = tools(30, i -> i == 0 ? schema(1, "{'enum':['a']}") : schema(1_000, "{'type':'string','pattern':'^zz$'}"));
        assertEquals("t0", planner(listing).plan(Step.CallKind.WRONG_TYPE).planned().about().get("tool"));
        assertEquals("t0", planner(listing).plan(Step.CallKind.MISSING_REQUIRED).planned().about().get("tool"));
    }

    @Test
    void unionsOfReferencesToUnionsAreGivenUp() {
        ObjectNode schema = Json.object().put("type", "object");
        schema.putObject("properties").putObject("a").put("$ref", "#/$defs/d0");
        schema.putArray("required").add("a");
        ObjectNode definitions = schema.putObject("$defs");
        for (int i = 0; i < 12; i++) {
            ArrayNode any = definitions.putObject("d" + i).putArray("anyOf");
            for (int j = 0; j < 10; j++) {
                any.addObject().put("$ref", "#/$defs/d" + (i + 1));
            }
        }
        definitions.putObject("d12").put("type", "string");
        ToolListing listing = tools(1, i -> Json.write(schema));
        assertNull(planner(listing).plan(Step.CallKind.WRONG_TYPE).planned());
        assertNull(planner(listing).plan(Step.CallKind.VALID).planned());
    }
}
