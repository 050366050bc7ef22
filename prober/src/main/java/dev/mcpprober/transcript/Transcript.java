package dev.mcpprober.transcript;

import java.util.List;

/** A session as it happened: bytes and times, never edited. */
public record Transcript(TranscriptHeader header, List<Event> events) {
    public Transcript {
        events = List.copyOf(events);
    }
}
