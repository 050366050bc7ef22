package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a success on good arguments reads as the report of a failure. With nothing to compare it with, only what reports by construction,
 * begins with a word of failure, or names a cause that a sandbox without network and files gives, is taken for one.
 */
final class FailureText {
    private static final int HEAD = 600;
    private static final Pattern BEGINS = Pattern.compile("(?i)^[\\W_]{0,20}(?:(?:an? )?(?:(?:unexpected|internal|fatal|critical|http|api|network|request|server|tool|execution|runtime|connection"
            + "|timeout|client)[ _-])?(?:error|exception)\\b(?!\\s+(?:rates?|counts?|logs?|codes?|handling|messages?)\\b|\\s*[:=]\\s*(?:0|none|no|null)\\b)"
            + "|(?-i:[A-Z][A-Za-z]*(?:Error|Exception))\\b|(?:failed|failure|unable to|could not|couldn't|cannot|can't)\\b(?!\\s*[:=]\\s*(?:0|none)\\b)|traceback \\(most recent)");
    private static final Pattern CAUSE = Pattern.compile("(?i)\\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOENT|EACCES|EROFS|getaddrinfo|fetch failed"
            + "|network (?:error|is unreachable)|name or service not known|temporary failure in name resolution|nodename nor servname|no address associated with"
            + "|could ?n[o']t (?:resolve|connect|reach)|failed to (?:fetch|connect|resolve|reach|establish|load|open|read)|connection (?:refused|error|reset|timed out|failed)|max retries exceeded"
            + "|no such file or directory|read-only file system|(?:api[ _-]?(?:key|token)|access token|credentials?) (?:is |are |was |were )?(?:missing|required|not (?:set|configured|found|provided)))\\b");

    private static final Pattern UNREACHABLE = Pattern.compile("(?i)\\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|getaddrinfo|fetch failed"
            + "|network is unreachable|no route to host|name or service not known|temporary failure in name resolution|nodename nor servname|no address associated with"
            + "|could ?n[o']t resolve (?:host|proxy)|failed to (?:resolve|look ?up) (?:the )?(?:host|address|domain|dns)[\\w ]*)\\b");

    /** The exceptions by which languages say that a file is not there. */
    private static final Pattern NO_FILE = Pattern.compile("\\b(?:FileNotFound(?:Error|Exception)|NoSuchFileException|IsADirectoryError|NotADirectoryError|PermissionError)\\b");

    private FailureText() {}

    /** Whether a failure names a cause that a sandbox without network, files and keys gives. */
    static boolean ofTheSandbox(String text) {
        return CAUSE.matcher(text).find() || UNREACHABLE.matcher(text).find() || NO_FILE.matcher(text).find();
    }

    /**
     * With flag {@code no-network} where a refusal says that a host or network cannot be reached. A relay that has its answers from elsewhere
     * fails so in a sandbox, whatever it is asked: it is no fault of the server, and nothing that the question was about was looked at.
     */
    static Reading withoutNetwork(Reading reading, Exchange exchange) {
        if (exchange.answer() == null) {
            return reading;
        }
        JsonNode node = exchange.answer().response().node();
        JsonNode error = node.path("error");
        String text = switch (reading.observed()) {
            case Observed.PROTOCOL_ERROR -> error.path("message").asText() + (error.has("data") ? "\n" + Json.write(error.get("data")) : "");
            case Observed.TOOL_ERROR -> CallResult.of(node.path("result")).text();
            default -> "";
        };
        return UNREACHABLE.matcher(text).find() ? reading.plus(Set.of(Flag.NO_NETWORK)) : reading;
    }

    /** @param arguments of the call: a tool that was asked for an error, say as the kind of message to show, has not failed when it gives one */
    static boolean in(CallResult result, JsonNode arguments) {
        String text = result.text().strip();
        String head = text.length() > HEAD ? text.substring(0, HEAD) : text;
        return CAUSE.matcher(head).find() || (ErrorSigns.failed(result) || BEGINS.matcher(head).find()) && !asksForError(arguments);
    }

    private static boolean asksForError(JsonNode value) {
        if (value.isTextual()) {
            return BEGINS.matcher(value.textValue()).find();
        }
        for (JsonNode each : value) {
            if (asksForError(each)) {
                return true;
            }
        }
        return false;
    }
}
