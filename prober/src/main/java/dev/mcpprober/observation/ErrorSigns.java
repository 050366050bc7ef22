package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What in a result without {@code isError} says that the call failed.
 *
 * @param marked by construction: an error block, the toolFailure key, JSON such as {@code {"ok": false}} or a status of 400 or more
 * @param worded by an English word of refusal or failure, near the beginning where the text is long
 */
record ErrorSigns(boolean marked, boolean worded) {
    /** A longer text is output that may speak of errors; only its beginning can be a report of one. */
    private static final int SHORT = 400;
    private static final int HEAD = 160;
    private static final int MAX_MEMBERS = 200;
    private static final Set<String> VERDICT_KEYS = Set.of("ok", "success", "succeeded", "successful", "valid", "accepted");
    private static final Set<String> FINDINGS = Set.of("valid", "accepted");
    private static final Set<String> ERROR_KEYS = Set.of("error", "errors", "err", "exception", "errormessage", "error_message", "errorcode", "error_code");
    private static final Set<String> STATUS_KEYS = Set.of("status", "statuscode", "status_code", "code", "httpstatus", "http_status");
    private static final Set<String> BAD_STATUS = Set.of("error", "fail", "failed", "failure", "invalid", "rejected", "refused", "denied", "bad_request");
    private static final Pattern DENIAL = Pattern.compile("^(?:no|not|non|never|without|zero)_");
    private static final Pattern WORDS = Pattern.compile("(?i)(?<![\\w-])(?:errors?|exception|invalid|fail(?:ed|ure|s)?|unable|can ?not|can't|could ?n[o']t"
            + "|couldn't|not (?:a|an) |is not|isn't|are not|was not|not (?:valid|found|allowed|provided|supported|recogni[sz]ed|defined|set)|must|should be"
            + "|ha(?:s|ve) to be|needs? to be|expected|expects|requires?|required|missing|denied|refused?|rejected|unsupported|unknown|bad|illegal|malformed"
            + "|traceback|mismatch|wrong|undefined|unexpected|no such|please (?:provide|specify|supply))(?![\\w-])");
    /** Output that says that nothing went wrong, in the words of what could have. A null of JSON may have been taken out with the arguments. */
    private static final Pattern DENIED = Pattern.compile("(?i)(?<![\\w.-])(?:(?:0|zero|no|without(?: any)?|free of) (?:\\w+ )?(?:errors?|exceptions?|failures?|mismatch(?:es)?)"
            + "|(?:errors?|exceptions?|failures?|failed|missing|invalid|rejected|refused|denied|unknown)[\"']?\\s*[:=]\\s*(?:0|none|no|null|false|\\[\\s*]|(?<=[\"']\\s{0,2}:\\s{0,2})\\x01(?=\\s*[,}]))"
            + "|(?:0|none|nothing) (?:(?:was|were|is|are|has) )?(?:failed|missing|wrong|invalid|rejected|refused|denied|unexpected))(?![\\w-]|\\.\\w)");

    /** @param text what to look for words in; empty to take the result's own text */
    static ErrorSigns in(CallResult result, String text) {
        String words = text.isEmpty() ? result.text() : text;
        JsonNode data = result.data();
        boolean marked = result.errorBlock() || result.failureKey() || data != null && data.isObject() && saysError(data, false);
        String whole = words.strip();
        String head = whole.length() > SHORT ? whole.substring(0, HEAD) : whole;
        return new ErrorSigns(marked, WORDS.matcher(DENIED.matcher(head).replaceAll(" ")).find());
    }

    /**
     * The result says by construction that the call itself failed. What a tool may be there to find out, such as {@code "valid": false} or a
     * status of 404, does not say that.
     */
    static boolean failed(CallResult result) {
        JsonNode data = result.data();
        return result.errorBlock() || result.failureKey() || data != null && data.isObject() && saysError(data, true);
    }

    boolean any() {
        return marked || worded;
    }

    private static boolean saysError(JsonNode object, boolean ofTheCall) {
        int looked = 0;
        for (Iterator<Map.Entry<String, JsonNode>> members = object.fields(); members.hasNext() && looked < MAX_MEMBERS; looked++) {
            Map.Entry<String, JsonNode> member = members.next();
            String key = member.getKey().toLowerCase(Locale.ROOT);
            JsonNode value = member.getValue();
            boolean denied = VERDICT_KEYS.contains(key) && value.isBoolean() && !value.booleanValue() && !(ofTheCall && FINDINGS.contains(key));
            boolean claimed = (key.equals("iserror") || key.equals("is_error")) && value.isBoolean() && value.booleanValue();
            boolean named = key.equals("type") && value.asText().equalsIgnoreCase("error");
            if (denied || claimed || named || ERROR_KEYS.contains(key) && says(value) || STATUS_KEYS.contains(key) && badStatus(value, ofTheCall)) {
                return true;
            }
        }
        return false;
    }

    private static boolean says(JsonNode value) {
        return value.isContainerNode() ? !value.isEmpty() : value.isTextual() ? !value.textValue().isBlank()
                : value.isBoolean() ? value.booleanValue() : value.isNumber() && value.asDouble() != 0;
    }

    /** A status of several words, such as {@code compile_error}, is judged by the last; it may be what the tool was to find out. */
    private static boolean badStatus(JsonNode value, boolean ofTheCall) {
        if (value.isTextual()) {
            String status = value.textValue().toLowerCase(Locale.ROOT).replaceAll("[ -]", "_");
            return BAD_STATUS.contains(status) || !ofTheCall && !DENIAL.matcher(status).find() && BAD_STATUS.contains(status.substring(status.lastIndexOf('_') + 1));
        }
        return value.isNumber() && !ofTheCall && (value.asInt() >= 400 && value.asInt() < 600 || value.asInt() <= -32000 && value.asInt() >= -32768);
    }
}
