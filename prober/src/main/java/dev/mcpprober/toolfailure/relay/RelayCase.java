package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import java.util.List;

/**
 * One result that a relay has to carry, and what it would show if the relay did not.
 *
 * @param name   also the name of the tool that answers with it
 * @param about  what it tests, for a reader
 * @param result the CallToolResult as the scripted server writes it
 */
public record RelayCase(String name, String about, String result) {
    private static final String LONG = "guidance ".repeat(4_000);

    /** Every case, in the order in which they are asked. The result of the last is large. */
    public static final List<RelayCase> ALL = List.of(
            error("baseline", "every member that the proposal declares", "{\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true,"
                    + "\"retryNotBefore\":1796083200123,\"correlationId\":\"f-7c1e0d9a\",\"agentGuidance\":\"Try again later.\"}"),
            error("number-forms", "numbers are written as they were", "{\"class\":\"reliability\",\"code\":\"x\",\"retryable\":true,\"retryNotBefore\":1.796083200123e12,"
                    + "\"correlationId\":\"f-2\",\"a\":1e3,\"b\":1000.0,\"c\":0.10,\"d\":-0,\"e\":1E+2}"),
            error("large-numbers", "numbers that no double holds", "{\"class\":\"reliability\",\"code\":\"x\",\"correlationId\":\"f-3\",\"a\":9007199254740993,"
                    + "\"b\":123456789012345678901234567890,\"c\":1e400,\"d\":0.1000000000000000055511151231257827}"),
            error("unknown-members", "members that the relay does not know", "{\"class\":\"governance\",\"code\":\"policy_blocked\",\"correlationId\":\"f-4\","
                    + "\"policy\":{\"id\":\"p-1\",\"steps\":[1,[],{},null,false,\"\"]},\"\":0,\"x-vendor\":[]}"),
            error("own-code", "a code of the server's own", "{\"class\":\"capability\",\"code\":\"seat_map_unavailable\",\"correlationId\":\"f-5\"}"),
            error("texts", "texts with characters that are written in several ways", "{\"class\":\"capability\",\"code\":\"invalid_input\","
                    + "\"correlationId\":\"a/b\\\\c\\\"d\\u0000\\u2028\\ud83d\\ude00\\u00e9e\\u0301\",\"agentGuidance\":\"<b>&amp;</b>\\t\\n\\u001b[31m \\uff41\"}"),
            error("no-object", "a value that is no object", "[\"reliability\",{\"retryable\":true}]"),
            error("null-value", "null", "null"),
            error("wrong-types", "members of the wrong type", "{\"class\":\"Reliability\",\"code\":7,\"retryable\":\"true\",\"retryNotBefore\":\"soon\",\"correlationId\":null}"),
            new RelayCase("beside-other-meta", "the key among other keys of _meta", "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true,\"_meta\":"
                    + "{\"com.example/trace\":\"t-1\",\"" + ToolFailure.KEY + "\":{\"class\":\"governance\",\"code\":\"auth_required\",\"correlationId\":\"f-6\"},"
                    + "\"com.example/span\":{\"n\":1}}}"),
            new RelayCase("structured", "beside structured content", "{\"content\":[],\"structuredContent\":{\"status\":503},\"isError\":true,\"_meta\":{\"" + ToolFailure.KEY
                    + "\":{\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"correlationId\":\"f-7\"}}}"),
            new RelayCase("on-success", "a server's fault, which is not the relay's to mend", "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"_meta\":{\"" + ToolFailure.KEY
                    + "\":{\"class\":\"capability\",\"code\":\"invalid_input\",\"correlationId\":\"f-8\"}}}"),
            new RelayCase("plain-error", "an error without the key gets none", "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}"),
            new RelayCase("plain-success", "a success without the key gets none", "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}"),
            error("long-text", "a long text", "{\"class\":\"capability\",\"code\":\"x\",\"correlationId\":\"f-9\",\"agentGuidance\":\"" + LONG + "\"}"));

    private static RelayCase error(String name, String about, String object) {
        return new RelayCase(name, about, "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true,\"_meta\":{\"" + ToolFailure.KEY + "\":" + object + "}}");
    }

    /** The result as a value. */
    ExactJson sent() {
        return ExactJson.parse(result).orElseThrow(() -> new IllegalStateException("case " + name + " is no JSON"));
    }
}
