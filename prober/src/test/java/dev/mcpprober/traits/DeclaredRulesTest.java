package dev.mcpprober.traits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DeclaredRulesTest {
    private static final DeclaredRules RULES = DeclaredRules.read();

    private static JsonNode json(String text) {
        return ((Json.Parsed.Value) Json.parse(text.replace('\'', '"'))).node();
    }

    private static DeclaredTool tool(String text) {
        JsonNode node = json(text);
        return RULES.tool(node, node.path("name").isTextual() ? node.get("name").textValue() : null, "legacy", 7);
    }

    private static DeclaredTool described(String name, String description) {
        ObjectNode node = Json.object().put("name", name).put("description", description);
        return RULES.tool(node, name, "legacy", 7);
    }

    @Test
    void aVerbStandsInOneListInLowerCase() {
        Set<String> seen = new HashSet<>();
        for (Set<String> list : RULES.names().lists()) {
            assertTrue(list.size() > 30);
            list.forEach(word -> assertTrue(seen.add(word) && word.matches("[a-z]+"), word));
        }
        assertEquals("declared@2", RULES.label());
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"create_issue,write,create", "createIssue,write,create", "github-create-issue,write,create", "issues.create,write,create",
            "CREATE_ISSUE,write,create", "HTTPPostMessage,write,post", "get_update_status,read,get", "list_open_orders,read,list", "getPost,read,get", "order_list,read,list",
            "place_order,write,place", "my_order,write,order", "store,write,store", "vault_search,read,search", "todo-write,write,write", "deleted_items,none,-", "metrics,none,-", "add2cart,none,-",
            "list2,none,-", "a.b/get_x,read,get", "run_query,write,run", "settings,none,-", "X,none,-", "🎉delete🎉,write,delete"})
    void theFirstVerbInTheNameDecides(String name, String kind, String word) {
        ToolNames.Verb verb = RULES.names().verb(name);
        assertEquals(kind + " " + (word == null ? "" : word), verb.kind() + " " + verb.word());
    }

    @ParameterizedTest
    @CsvSource({"get_thing,as-described,snake", "get,as-described,one-word", "getThing,as-described,camel", "GetThing,as-described,pascal", "get-thing,as-described,kebab",
            "GET_THING,as-described,upper", "a.get_thing,as-described,dotted", "a/get,slash,dotted", "get thing,characters,other", "get_Thing-x,as-described,mixed",
            "größe,characters,other", "tool1,as-described,one-word"})
    void formAndStyleOfNames(String name, String form, String style) {
        assertEquals(form + " " + style, ToolNames.form(name) + " " + ToolNames.style(name));
    }

    @Test
    void namesThatAreNone() {
        assertEquals("missing", tool("{'inputSchema':{}}").form());
        assertEquals("missing", tool("{'name':7}").form());
        assertEquals("empty", tool("{'name':''}").form());
        assertEquals("", tool("{'name':''}").style());
        assertEquals("as-described", described("a".repeat(128), "").form());
        assertEquals("too-long", described("a".repeat(129), "").form());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{} | undeclared", "{'title':'x','openWorldHint':true} | undeclared", "{'readOnlyHint':true} | read",
            "{'readOnlyHint':true,'destructiveHint':false} | read", "{'readOnlyHint':false} | write", "{'destructiveHint':false} | write",
            "{'destructiveHint':true} | destructive", "{'readOnlyHint':false,'destructiveHint':true} | destructive", "{'readOnlyHint':true,'destructiveHint':true} | contradictory",
            "{'readOnlyHint':'true'} | undeclared", "[] | undeclared", "null | undeclared"})
    void annotationsSayWhatTheySayAndNoMore(String annotations, String effect) {
        DeclaredTool tool = tool("{'name':'delete_all','annotations':" + annotations + "}");
        assertEquals(effect, tool.effect());
        assertEquals("write", tool.verb().kind(), "the name is another matter");
    }

    @Test
    void hintsAndTaskSupport() {
        DeclaredTool tool = tool("{'name':'x','annotations':{'readOnlyHint':1,'idempotentHint':false,'openWorldHint':true},'execution':{'taskSupport':'required'}}");
        assertEquals(Map.of("readOnlyHint", "other", "destructiveHint", "absent", "idempotentHint", "false", "openWorldHint", "true"), tool.hints());
        assertEquals("required", tool.taskSupport());
        assertTrue(tool.annotated());
        assertFalse(tool("{'name':'x','annotations':{}}").annotated());
        assertEquals("other", tool("{'name':'x','execution':{'taskSupport':true}}").taskSupport());
        assertEquals("absent", tool("{'name':'x','execution':{}}").taskSupport());
    }

    @Test
    void schemasByWhatTheyAreMadeOf() {
        SchemaTraits schema = SchemaTraits.of(json("{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','additionalProperties':false,'required':['a'],'properties':{"
                + "'a':{'$ref':'#/$defs/x'},'pattern':{'type':['string','null'],'description':'d','format':'uri','minLength':1},"
                + "'b':{'oneOf':[{'type':'object','properties':{'c':{'type':'array','items':{'type':'object','properties':{'d':{'default':1}}}}}}]}},'$defs':{'x':{'enum':[1]}}}"));
        assertEquals(List.of("closed", "default", "definitions", "enum", "format", "items", "limits", "nullable", "oneOf", "ref"), schema.features(),
                "a property that is called pattern is no pattern");
        assertEquals("properties draft-07 3 1 1 3", schema.declared() + " " + schema.dialect() + " " + schema.properties() + " " + schema.required() + " " + schema.described()
                + " " + schema.depth());
        assertEquals("bare", SchemaTraits.of(json("{'type':'object','properties':{}}")).declared());
        assertEquals("other", SchemaTraits.of(json("true")).declared());
        assertEquals("absent", SchemaTraits.of(json("null")).declared());
        assertEquals("absent", tool("{'name':'x'}").input().declared());
        assertEquals(List.of("open"), SchemaTraits.of(json("{'additionalProperties':true}")).features());
        assertEquals(List.of("open-typed"), SchemaTraits.of(json("{'additionalProperties':{}}")).features());
        assertTrue(SchemaTraits.FEATURES.containsAll(schema.features()));
    }

    @ParameterizedTest
    @CsvSource({"https://json-schema.org/draft/2020-12/schema,2020-12", "http://json-schema.org/draft-04/schema#,draft-04", "https://json-schema.org/draft/2019-09/schema,2019-09",
            "http://json-schema.org/schema#,other", "x,other"})
    void dialects(String uri, String dialect) {
        assertEquals(dialect, SchemaTraits.dialect(json("'" + uri + "'")));
    }

    static List<ThirdState.Term> terms() {
        return RULES.thirdState().terms();
    }

    static List<ThirdState.NotOne> notOnes() {
        return RULES.thirdState().notOnes();
    }

    @ParameterizedTest
    @MethodSource("terms")
    void aTermIsFoundInItsOwnExamples(ThirdState.Term term) {
        assertTrue(ThirdState.CLASSES.contains(term.kind()), term.kind());
        assertFalse(term.examples().isEmpty());
        for (String example : term.examples()) {
            List<ThirdState.Hit> hits = described("do_it", example).hits();
            assertTrue(hits.stream().anyMatch(hit -> hit.term().equals(term.id()) && hit.counts()), example + " " + hits);
        }
    }

    @ParameterizedTest
    @MethodSource("notOnes")
    void whatIsSomethingElseIsListedAndMarked(ThirdState.NotOne rule) {
        assertTrue(ThirdState.PLACES.containsAll(rule.places()), rule.places().toString());
        for (String example : rule.examples()) {
            boolean named = example.matches("[a-z_]+: .*");
            List<ThirdState.Hit> hits = described(named ? example.substring(0, example.indexOf(':')) : "do_it", named ? example.substring(example.indexOf(':') + 2) : example).hits();
            assertFalse(hits.isEmpty(), example);
            hits.forEach(hit -> assertEquals(rule.id(), hit.notOne(), example + " " + hit));
        }
    }

    @Test
    void idsAreUniqueAndNamedTermsAreThere() {
        Set<String> ids = new HashSet<>();
        terms().forEach(term -> assertTrue(ids.add(term.id()), term.id()));
        notOnes().forEach(rule -> rule.terms().forEach(term -> assertTrue(ids.contains(term) || ThirdState.CLASSES.contains(term), term)));
        Set<String> marks = new HashSet<>();
        notOnes().forEach(rule -> assertTrue(marks.add(rule.id()), rule.id()));
    }

    /** Texts of real servers, and their near relatives. {@code -} for no hit at all, {@code +} for one that counts, else the mark. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "crawl_site | The crawl runs in the background - use crawl_status to poll. | +",
            "update_dataset_query | The full DAX expression is accepted verbatim; empty bodies are rejected. | accepted-input",
            "list_scheduled_messages | Retrieve all scheduled messages that are queued for future delivery. | reading-tool",
            "delete_scheduled_message | Permanently delete a scheduled message by its ID. | what-it-deals-with",
            "set_textbox_style | background_color, border_* | -",
            "send_money | The transfer is accepted for processing and pending until confirmed. | +",
            "send_money | Returns a pending transfer. | +",
            "verify_email | Verify the validity of an email address. | -",
            "get_report | Rendering may take up to 5 minutes. | +",
            "make_shot | You can take screenshots of it. | takes-arguments",
            "create_poll | Creates a poll in the channel. | opinion-poll",
            "set_policy | Sets the policy of a message queue. | queue-as-thing",
            "post_message | Adds the message to the queue. | +",
            "monitor_run | Queues an immediate check and returns the queued check. | +",
            "monitor_update | These changes affect future scheduled checks. | what-it-deals-with",
            "delete_token | This will immediately invalidate the token. | -",
    })
    void hitsInRealTexts(String name, String description, String what) {
        List<ThirdState.Hit> hits = described(name, description).hits().stream().filter(hit -> hit.place().equals("description")).toList();
        Set<String> marks = new HashSet<>();
        hits.forEach(hit -> marks.add(hit.counts() ? "+" : hit.notOne()));
        assertEquals(what.equals("-") ? Set.of() : Set.of(what), marks, hits.toString());
    }

    @Test
    void whatAnOutputSchemaDescribesIsTheAnswer() {
        assertEquals(1, tool("{'name':'agent','outputSchema':{'description':'The queued research job.'}}").thirdState());
        assertEquals(0, tool("{'name':'agent','inputSchema':{'description':'The queued research job.'}}").thirdState());
    }

    @Test
    void placesInSchemasAreTold() {
        DeclaredTool tool = tool("{'name':'submitOrder','inputSchema':{'properties':{'pending':{'enum':['queued'],'description':'Whether it is queued.'}}},"
                + "'outputSchema':{'properties':{'status':{'enum':['done','pending']},'a/b':{'description':'" + "x".repeat(200) + " queued " + "y".repeat(200) + "'}}}}");
        assertEquals(List.of("input-name /inputSchema/properties/pending pending input-value", "input-value /inputSchema/properties/pending/enum/0 queued input-value",
                "input-description /inputSchema/properties/pending/description queued ", "output-value /outputSchema/properties/status/enum/1 pending ",
                "output-description /outputSchema/properties/a~1b/description queued "),
                tool.hits().stream().map(hit -> hit.place() + " " + hit.pointer() + " " + hit.term() + " " + hit.notOne()).toList());
        assertEquals(3, tool.thirdState());
        assertEquals(List.of("role-of-argument", "", "choice-of-values"), tool("{'name':'x','inputSchema':{'properties':{'a':{'description':'List to which it will be sent.'},"
                + "'b':{'description':'It will be sent.'},'c':{'description':'Filter by state, e.g. pending'}}}}").hits().stream().map(ThirdState.Hit::notOne).toList());
        String context = tool.hits().get(4).context();
        assertTrue(context.startsWith("…x") && context.endsWith("y…") && context.length() < 140 && context.contains(" queued "), context);
    }

    @Test
    void whatIsMoreThanIsLookedThroughIsSaid() {
        assertTrue(described("x", "queued").whole());
        DeclaredTool many = described("x", "queued ".repeat(60));
        assertEquals(50, many.hits().size());
        assertFalse(many.whole());
        assertFalse(described("x", "y".repeat(30_000)).whole());
        StringBuilder deep = new StringBuilder("{}");
        for (int i = 0; i < 200; i++) {
            deep.insert(0, "{'items':").append('}');
        }
        assertFalse(tool("{'name':'x','inputSchema':" + deep + "}").whole());
    }

    private final List<Event> events = new ArrayList<>();

    private void step(String id, String probe, String... exchanges) {
        events.add(new Event.StepBegan(events.size(), 0, id, probe, Map.of()));
        for (String tools : exchanges) {
            int number = events.size();
            events.add(new Event.Sent(number, 0, id, bytes("{\"jsonrpc\":\"2.0\",\"id\":" + number + ",\"method\":\"tools/list\"}\n")));
            byte[] answer = bytes("{\"jsonrpc\":\"2.0\",\"id\":" + number + ",\"result\":{\"tools\":" + tools.replace('\'', '"') + "}}");
            events.add(new Event.Received(number + 1, 0, answer, true, answer.length));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<DeclaredTool> listed() {
        return RULES.of(new Transcript(new TranscriptHeader("a", "0".repeat(64), "t", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25", List.of("s"), "", "none", "v",
                "2026-12-01T00:00:00Z", 1, 1, 1), events));
    }

    @Test
    void theFirstListingOverItsPagesEachNameOnce() {
        step("cap", "tools-capability", "[{'name':'no'}]");
        step("list", "tools-list", "[{'name':'a'},{'name':'b','annotations':{'readOnlyHint':true}}]", "[{'name':'b'},{'name':7},'x']");
        step("again", "tools-list-set", "[{'name':'c'}]");
        List<DeclaredTool> tools = listed();
        assertEquals(List.of("a", "b", "", ""), tools.stream().map(DeclaredTool::name).toList());
        assertEquals("read", tools.get(1).effect());
        assertTrue(tools.stream().allMatch(tool -> events.get(tool.event()) instanceof Event.Received));
    }

    @Test
    void whatIsNoListGivesNone() {
        step("list", "tools-list", "{'name':'a'}", "null", "[]");
        assertEquals(List.of(), listed());
    }

    @Test
    void hostileTextsCostLittle() {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (String bit : List.of("a", "aA", "_", "a_", "will then ", "submits a ", "best effort ", "pending, ", "filter ", "not yet ", "may take ", "async ", "\ud83c", "the queue ")) {
                DeclaredTool tool = described(bit.repeat(200_000 / bit.length()), bit.repeat(200_000 / bit.length()));
                assertFalse(tool.whole(), bit);
            }
        });
    }
}
