package dev.mcpprober.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.observation.Extractor;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Known;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.redaction.Secrets;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.EventRedaction;
import dev.mcpprober.transcript.Transcript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A secret in what a server says changes no observation and no verdict: those of a redacted transcript are those of the transcript as it came. */
class RedactedCasesTest {
    private static final String VALUE = "hunter2/of \"the\" frame";
    private static final Redactor REDACTOR = Redactor.of(CredentialRules.bundled(), Known.variables(Map.of("API_KEY", VALUE)));

    static List<GoldenCase> cases() {
        return GoldenCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void observationsAreTheSame(GoldenCase golden) throws IOException {
        List<Transcript> came = golden.transcripts().stream().map(RedactedCasesTest::planted).toList();
        List<Transcript> kept = came.stream().map(RedactedCasesTest::redacted).toList();
        Map<String, String> expected = GoldenCase.derive(Extractor.extract(came), RuleSets.BUNDLED);
        Map<String, String> derived = GoldenCase.derive(Extractor.extract(kept), RuleSets.BUNDLED);
        assertEquals(expected.keySet(), derived.keySet());
        expected.forEach((file, text) -> assertEquals(text.replaceAll("\"detail\":\"(?:[^\"\\\\]|\\\\.)*\"", ""),
                derived.get(file).replaceAll("\"detail\":\"(?:[^\"\\\\]|\\\\.)*\"", ""), file));
        for (Transcript transcript : kept) {
            for (Event event : transcript.events()) {
                byte[] bytes = event instanceof Event.Received e ? e.bytes() : event instanceof Event.Stderr e ? e.bytes() : new byte[0];
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                assertTrue(!text.contains(Secrets.GITHUB) && !text.contains("hunter2") && !text.contains(Secrets.KEY_BODY), text);
            }
        }
    }

    /** Behind the first quotation mark of every text of a reply, and on stderr. */
    private static Transcript planted(Transcript transcript) {
        String inJson = Secrets.GITHUB + " " + VALUE.replace("\"", "\\\"") + " " + Secrets.KEY.replace("\n", "\\n") + " ";
        List<Event> events = new ArrayList<>();
        for (Event event : transcript.events()) {
            if (event instanceof Event.Received e && !e.truncated()) {
                // As bytes, for lines that are no UTF-8.
                String line = new String(e.bytes(), StandardCharsets.ISO_8859_1);
                byte[] bytes = line.replaceAll("(\"(?:text|message|data|description)\" ?: ?\")", "$1" + java.util.regex.Matcher.quoteReplacement(inJson)).getBytes(StandardCharsets.ISO_8859_1);
                events.add(new Event.Received(e.index(), e.nanos(), bytes, e.terminated(), bytes.length));
            } else if (event instanceof Event.Stderr e) {
                byte[] bytes = (new String(e.bytes(), StandardCharsets.ISO_8859_1) + "token=" + Secrets.GITHUB + "\n" + VALUE + "\n").getBytes(StandardCharsets.ISO_8859_1);
                events.add(new Event.Stderr(e.index(), e.nanos(), bytes, e.dropped()));
            } else {
                events.add(event);
            }
        }
        return new Transcript(transcript.header(), events);
    }

    private static Transcript redacted(Transcript transcript) {
        EventRedaction redaction = new EventRedaction(REDACTOR);
        List<Event> events = new ArrayList<>();
        var header = redaction.header(transcript.header());
        transcript.events().forEach(event -> redaction.take(event).ifPresent(events::add));
        events.addAll(redaction.rest());
        events.sort(Comparator.comparingInt(Event::index));
        return new Transcript(header, events);
    }
}
