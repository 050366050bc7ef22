package dev.mcpprober.dataset;

import dev.mcpprober.transcript.Event;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The witnesses of one target's observations and failed calls, read from its transcripts one at a time. */
public final class WitnessRows {
    private static final int NANOS_DIGITS = 6;

    private WitnessRows() {}

    static List<Row> of(RunReader reader, Derived derived) throws IOException {
        Map<String, TreeSet<Integer>> named = new HashMap<>();
        derived.all().stream().flatMap(repeat -> repeat.observed().observations().stream()).forEach(observation ->
                named.computeIfAbsent(observation.subject().session(), key -> new TreeSet<>()).addAll(observation.witness()));
        derived.failures().forEach((session, failures) -> failures.forEach(failure ->
                named.computeIfAbsent(session, key -> new TreeSet<>()).addAll(List.of(failure.call().sentAt(), failure.call().event()))));
        List<Row> rows = new ArrayList<>();
        for (SessionFigures session : derived.sessions()) {
            TreeSet<Integer> wanted = named.getOrDefault(session.header().session(), new TreeSet<>());
            if (wanted.isEmpty()) {
                continue;
            }
            for (Event event : reader.transcript(session.attempt()).events()) {
                if (wanted.contains(event.index())) {
                    rows.add(row(derived.history().row().target(), session.header().session(), event));
                }
            }
        }
        return rows;
    }

    /** Kind, time, size and content of an event as a row has them. */
    public static List<String> cells(Event event) {
        Row row = row("", "", event);
        return List.of(row.get("kind"), row.get("at_ms"), row.get("size_bytes"), row.get("content_text"));
    }

    private static Row row(String target, String session, Event event) {
        Row row = new Row(ReleaseTables.WITNESSES).set("target_id", target).set("session", session).set("event", event.index())
                .set("at_ms", BigDecimal.valueOf(event.nanos(), NANOS_DIGITS).stripTrailingZeros());
        if (event instanceof Event.Sent e) {
            return line(row.set("kind", "sent"), e.bytes(), e.bytes().length);
        } else if (event instanceof Event.Received e) {
            return line(row.set("kind", "received"), e.bytes(), e.originalLength() + (e.terminated() ? 1 : 0));
        } else if (event instanceof Event.Stderr e) {
            return line(row.set("kind", "stderr"), e.bytes(), e.bytes().length);
        } else if (event instanceof Event.Started e) {
            return row.set("kind", "started").set("content_text", String.join(" ", e.argv()));
        } else if (event instanceof Event.StepBegan e) {
            return row.set("kind", "step-began").set("content_text", e.step());
        } else if (event instanceof Event.SendFailed e) {
            return row.set("kind", "send-failed").set("content_text", e.reason());
        } else if (event instanceof Event.StdoutCapped e) {
            return row.set("kind", "stdout-capped").set("content_text", e.keptBytes() + " bytes kept");
        } else if (event instanceof Event.Totals e) {
            return row.set("kind", "totals").set("content_text", e.stdoutBytes() + " bytes on stdout, " + e.stderrBytes() + " on stderr");
        } else if (event instanceof Event.StepEnded e) {
            return row.set("kind", "step-ended").set("content_text", e.step() + ": " + e.outcome());
        } else if (event instanceof Event.DeadlineExtended e) {
            return row.set("kind", "deadline-extended").set("content_text", e.byMillis() + " ms more");
        } else if (event instanceof Event.StdinClosed) {
            return row.set("kind", "stdin-closed");
        } else if (event instanceof Event.StdoutClosed) {
            return row.set("kind", "stdout-closed");
        } else if (event instanceof Event.SignalSent e) {
            return row.set("kind", "signal-sent").set("content_text", e.signal());
        } else if (event instanceof Event.Terminated e) {
            return row.set("kind", "terminated").set("content_text", e.how() + " " + e.status());
        }
        return row.set("kind", "channel-lost").set("content_text", ((Event.ChannelLost) event).reason());
    }

    private static Row line(Row row, byte[] bytes, long size) {
        // A cell holds so few characters that decoding a line of megabytes for it would be waste.
        int kept = Math.min(bytes.length, Cells.TEXT_LIMIT * 4);
        String text = new String(bytes, 0, kept, StandardCharsets.UTF_8);
        return row.set("size_bytes", size).set("content_text", text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    }
}
