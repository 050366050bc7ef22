package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolListingTest {
    private static ToolListing listing(String tools) {
        ToolListing listing = new ToolListing();
        listing.addPage(((Json.Parsed.Value) Json.parse("{\"tools\":" + tools.replace('\'', '"') + "}")).node());
        return listing;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get_weather   | {}                                          | true
            make_plan     | {}                                          | true
            settings      | {}                                          | true
            delete_repo   | {}                                          | false
            deleteRepo    | {}                                          | false
            git-push      | {}                                          | false
            delete_repo   | {'readOnlyHint':true}                       | true
            get_weather   | {'readOnlyHint':false}                      | false
            get_weather   | {'destructiveHint':true}                    | false
            """)
    void whatMayHaveEffectsIsTold(String name, String annotations, boolean harmless) {
        assertEquals(harmless, listing("[{'name':'" + name + "','inputSchema':{'type':'object'},'annotations':" + annotations + "}]").tools().get(0).harmless());
    }

    @Test
    void eachNameCountsOnceAndUnusableEntriesDoNotHurt() {
        ToolListing listing = listing("[{'name':'a','inputSchema':{}},{'name':'a','inputSchema':{}},{'name':7},3,{'name':'b','inputSchema':null}]");
        assertEquals(1, listing.tools().size());
        assertTrue(listing.has("b"));
    }
}
