package dev.mcpprober.observation;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether the refusal of a call with bad arguments shows that the arguments were looked at: a tool without its network or file fails on
 * good ones too. It does where it names the argument or its type or speaks of a schema, and the valid twin's answer does not; or where it
 * differs from the twin's in a way that can only come from the argument, which a second wrong value is to be met with too, and is not about
 * another one.
 */
final class Attribution {
    private static final long INVALID_PARAMS = -32602;
    private static final String TYPES = "(?:string|str|text|number|numeric|integer|int|float|boolean|bool|array|list|object|dict(?:ionary)?|map|record|undefined|null)";
    /** How validators speak: zod, pydantic, ajv, jsonschema, Go, serde and those who write their own. */
    private static final Pattern SCHEMA = Pattern.compile("(?i)\\binvalid_(?:type|union|literal|enum_value|value|format|string)\\b|unrecognized.?keys?\\b|\\binvalid input: expected"
            + "|\\bexpect(?:ed|s|ing)?:? (?:an? |type |nonoptional )*['\"`]?" + TYPES + "\\b|\\b(?:received|got|found)(?: an?| type)? ['\"`]?" + TYPES + "\\b"
            + "|\\bvalidation errors? (?:for|in)\\b|\\b(?:input|argument|arguments|parameter|schema|request) validation\\b|\\binput should be\\b|\\bfield required\\b"
            + "|\\bmissing (?:\\d+ )?(?:required )?(?:positional |keyword-only )?(?:argument|parameter|property|properties|field|input)s?\\b"
            + "|\\brequired (?:argument|parameter|property|properties|field|input)s?\\b|\\bis (?:a )?required(?: property)?\\b|\\bunexpected keyword argument|\\bextra inputs are not permitted"
            + "|\\b(?:additional|unevaluated|unknown|unexpected|extra) (?:propert(?:y|ies)|argument|parameter|field|key)s?\\b|\\bis not of type\\b"
            + "|\\b(?:must|should|has to|have to|needs? to|is not|isn't|not) (?:be )?(?:an? )?(?:valid |non-empty |positive )*['\"`]?" + TYPES + "\\b"
            + "|\\bmust (?:not )?have (?:required|additional) propert|\\binvalid (?:argument|parameter|param|input)s?\\b|\\bcannot unmarshal\\b|\\bcould not be converted to\\b"
            + "|['\"`](?:dict|list|NoneType|int|float|bool)['\"`] object\\b|\\binvalid type: |\\btype mismatch\\b|\\b(?:match|conform to|satisfy) (?:the |its )?(?:input ?)?schema\\b");
    /** A library refuses the result that the tool itself gave. */
    private static final Pattern OWN_RESULT = Pattern.compile("(?i)invalid (?:tools/call )?result\\b|output validation error|\\bstructured ?(?:content|output)\\b|\\boutput ?schema\\b");

    private Attribution() {}

    /** The server does not refuse the call but what the tool made of it. */
    static boolean ofOwnResult(String words) {
        return OWN_RESULT.matcher(words).find();
    }

    /**
     * The flag that says why the refusal proves nothing; empty where it does.
     *
     * @param bad      a call that was refused
     * @param second   the same with another wrong value, where that was answered
     * @param twin     the same tool called with good arguments, where that was answered
     * @param property the argument under test
     */
    static Optional<String> doubt(Met bad, Optional<Met> second, Optional<Met> twin, String property) {
        if (twin.isPresent() && bad.refusedLike(twin.get())) {
            return Optional.of(Flag.SAME_AS_VALID);
        }
        String words = bad.words();
        String twinWords = twin.map(Met::words).orElse("");
        boolean names = ConsequenceJudge.names(words, property) && !ConsequenceJudge.names(twinWords, property);
        if (names || speaksOfSchema(bad, words) && twin.stream().noneMatch(t -> speaksOfSchema(t, twinWords))) {
            return Optional.empty();
        }
        boolean differs = twin.isPresent() && (twin.get().ran() || !bad.sameChannel(twin.get()) || !alike(bad, twin.get()));
        boolean steady = second.isEmpty() || bad.sameChannel(second.get()) && alike(bad, second.get());
        // A tool that fails now and then is told from one that looks at its arguments by a second try.
        boolean settled = twin.isPresent() && twin.get().ran() ? second.isEmpty() || second.get().refused() : steady && !ofAnother(bad, words, property);
        return differs && settled ? Optional.empty() : Optional.of(Flag.UNATTRIBUTED);
    }

    /**
     * The failure is about something else: a file, network or key that is not there, or the value of another argument. Where the valid call
     * fails too, such a one only says that the tool came as far as that, past the argument under test.
     */
    private static boolean ofAnother(Met bad, String words, String property) {
        return FailureText.ofTheSandbox(words) || bad.quotesAnother(property);
    }

    private static boolean speaksOfSchema(Met met, String words) {
        if (ofOwnResult(words)) {
            return false;
        }
        return met.refused() && (Long.valueOf(INVALID_PARAMS).equals(met.reading().code()) || SCHEMA.matcher(words).find());
    }

    private static boolean alike(Met a, Met b) {
        return a.prose().isBlank() && b.prose().isBlank() || ConsequenceJudge.sharedWords(a.prose(), b.prose());
    }
}
