package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Work;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentBuilderTest {
    private static JsonNode json(String text) {
        return ((Json.Parsed.Value) Json.parse(text.replace('\'', '"'))).node();
    }

    private static Optional<ObjectNode> build(String schema) {
        return new ArgumentBuilder(json(schema), new Work(100_000_000)).validArguments();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{'type':'object','properties':{'a':{'enum':['x','y']}},'required':['a']}",
        "{'type':'object','properties':{'a':{'const':7}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'string','format':'date-time'}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'string','pattern':'^[A-Z]{3}$'}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'string','minLength':70}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'integer','exclusiveMinimum':10,'multipleOf':7}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'number','minimum':0.25,'maximum':0.75}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'integer','maximum':-5}},'required':['a']}",
        "{'type':'object','properties':{'a':{'$ref':'#/$defs/A'}},'required':['a'],'$defs':{'A':{'type':'object','properties':{'b':{'$ref':'#/$defs/B'}},'required':['b']},'B':{'type':'string','minLength':1}}}",
        "{'type':'object','properties':{'a':{'anyOf':[{'type':'null'},{'type':'array','items':{'type':'integer'},'minItems':2}]}},'required':['a']}",
        "{'type':'object','properties':{'a':{'oneOf':[{'type':'object','properties':{'k':{'const':'p'}},'required':['k']},{'type':'string'}]}},'required':['a']}",
        "{'type':'object','properties':{'a':{'allOf':[{'type':'object','properties':{'x':{'type':'string'}},'required':['x']},{'properties':{'y':{'type':'integer'}},'required':['y']}]}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':['null','boolean']}},'required':['a']}",
        "{'type':'object','required':['undeclared']}",
        "{'type':'object','properties':{'a':{'type':'number','minimum':1e-999}},'required':['a']}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{'a':{'type':'array','items':[{'type':'number'},{'type':'string'}]}},'required':['a']}",
        "{'$schema':'http://json-schema.org/draft-04/schema#','type':'object','properties':{'a':{'type':'integer','minimum':0,'exclusiveMinimum':true}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'array','items':{'type':'string'},'minItems':3,'uniqueItems':true}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'array','items':{'type':'integer','minimum':5},'minItems':2,'uniqueItems':true}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'array','items':{'enum':['x','y']},'minItems':2,'uniqueItems':true}},'required':['a']}",
        "{'type':'object','properties':{'a':{'$ref':'#Text'}},'required':['a'],'$defs':{'T':{'$anchor':'Text','type':'string','minLength':2}}}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{'a':{'$ref':'#n'}},'required':['a'],'definitions':{'N':{'$id':'#n','type':'integer'}}}",
        "{'$id':'https://example.com/t.json','type':'object','properties':{'a':{'$ref':'https://example.com/t.json#/$defs/A'}},'required':['a'],'$defs':{'A':{'type':'integer'}}}",
        "{'type':'object','properties':{'m':{'enum':['size','name']},'v':{}},'required':['m','v'],'if':{'properties':{'m':{'const':'size'}}},'then':{'properties':{'v':{'type':'integer'}}}}",
        "{'type':'object','properties':{'m':{'type':'string'}},'required':['m'],'if':{'properties':{'m':{'const':'none'}}},'else':{'properties':{'n':{'type':'integer'}},'required':['n']}}",
        "{'type':'object'}"})
    void whatIsBuiltIsAccepted(String schema) {
        Optional<ObjectNode> arguments = build(schema);
        assertTrue(arguments.isPresent(), schema);
        assertTrue(new ArgumentBuilder(json(schema), new Work(100_000_000)).accepted(arguments.get()));
        json(schema).path("required").forEach(name -> assertTrue(arguments.get().has(name.asText())));
    }

    @ParameterizedTest
    @CsvSource({"text, mcp-prober", "bulk_email_id, mcp-prober", "emailId, mcp-prober", "email, mcp-prober@example.com", "fromCity, London", "capacity, mcp-prober", "target_currency, USD",
        "page_url, https://example.com/", "startDate, 2026-01-01", "config_file, /tmp/mcp-prober", "hostname, example.com", "ids, mcp-prober"})
    void textsArePlausibleByTheNameOfTheArgument(String name, String value) {
        assertEquals(value, build("{'type':'object','properties':{'" + name + "':{'type':'string'}},'required':['" + name + "']}").orElseThrow().path(name).asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{'type':'object','properties':{'a':{'type':'string','pattern':'^zz[0-9]{9}qq$'}},'required':['a']}",
        "{'type':'object','properties':{'a':{'$ref':'#/$defs/nowhere'}},'required':['a']}",
        "{'type':'object','properties':{'a':{'$ref':'#/properties/a'}},'required':['a']}",
        "{'type':'object','properties':{'a':false},'required':['a']}",
        "{'type':'object','properties':{'a':{'allOf':[{'properties':[1],'required':5},{'properties':{'x':{}},'required':['x']},{'properties':'s','required':{}}]}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'number','const':1e400}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'number','multipleOf':1e400,'maximum':-1e400}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'string','minLength':30,'pattern':'((x|x)+)+$z'}},'required':['a']}",
        "{'type':'object','properties':{'a':{'type':'integer','minimum':5,'maximum':4}},'required':['a']}"})
    void aSchemaThatDefeatsItGivesNothing(String schema) {
        assertEquals(Optional.empty(), build(schema));
    }

    @Test
    void nothingIsEverFetched() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread listener = new Thread(() -> {
                while (!socket.isClosed()) {
                    try {
                        socket.accept().close();
                        connections.incrementAndGet();
                    } catch (java.io.IOException e) {
                        return;
                    }
                }
            });
            listener.start();
            String url = "http://127.0.0.1:" + socket.getLocalPort() + "/doc.json";
            String schema = "{'$schema':'" + url + "','type':'object','properties':{'doc':{'$ref':'" + url + "'}},'required':['doc']}";
            assertEquals(Optional.empty(), build(schema));
            new ArgumentBuilder(json(schema.replace("'$schema':'" + url + "',", "")), new Work(100_000_000)).refused(json("{'doc':1}"));
        }
        assertEquals(0, connections.get());
    }

    @Test
    void theImpossibleValueIsOfNoTypeThatCouldBeMeant() {
        JsonNode schema = json("{'type':'object','properties':{'n':{'type':['integer','null']},'s':{'type':'string'},'l':{'type':'array'},"
                + "'o':{'type':'object'},'b':{'type':'boolean'},'u':{'anyOf':[{'type':'string'},{'type':'number'}]},'any':{'description':'x'},"
                + "'so':{'type':['string','object','array']}}}");
        SchemaView view = new SchemaView(schema, new Work(1_000_000));
        String[][] expected = {{"n", "STRING", "OBJECT"}, {"s", "OBJECT", "ARRAY"}, {"l", "OBJECT", "STRING"}, {"o", "STRING", "INTEGER"}, {"b", "STRING", "OBJECT"},
            {"u", "OBJECT", "ARRAY"}};
        for (String[] each : expected) {
            List<JsonNode> wrong = view.acceptedTypes(schema.path("properties").path(each[0])).map(ToolProbe::impossible).orElseThrow();
            assertEquals(List.of(each).subList(1, 3), wrong.stream().map(value -> SchemaView.Type.of(value).name()).toList(), each[0]);
        }
        assertEquals(Optional.empty(), view.acceptedTypes(schema.path("properties").path("any")));
        assertEquals(Optional.of(List.of()), view.acceptedTypes(schema.path("properties").path("so")).map(ToolProbe::impossible));
    }
}
