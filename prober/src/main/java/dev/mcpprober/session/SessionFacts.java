package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a finished session tells the plan, read from its transcript alone, so that a resumed run plans as the first one did.
 *
 * @param name       of the session
 * @param script     label of its script
 * @param agreed     a handshake came about
 * @param modernHint the server showed itself modern: agreed to {@code server/discover}, or refused it as only a modern server does
 * @param remaining  ids of steps that the script has and the session did not reach, because the server was lost on the way
 */
public record SessionFacts(String name, String script, boolean agreed, boolean modernHint, List<String> remaining) {
    public SessionFacts {
        remaining = List.copyOf(remaining);
    }

    public static SessionFacts of(Transcript transcript) {
        Course course = new Course();
        transcript.events().forEach(course::take);
        return course.facts(transcript.header());
    }

    /** The same, without holding what the server wrote. */
    public static SessionFacts read(Path transcript) throws IOException {
        Course course = new Course();
        return course.facts(TranscriptReader.readSteps(transcript, course::take));
    }

    /** What the steps of a session came to. */
    private static final class Course {
        private final Set<String> reached = new HashSet<>();
        private boolean agreed;
        private boolean modern;
        private boolean timeUp;

        void take(Event event) {
            if (event instanceof Event.StepBegan began) {
                reached.add(began.step());
            } else if (event instanceof Event.StepEnded ended) {
                agreed |= ended.outcome() == StepOutcome.REPLIED && ended.detail().startsWith(HandshakeNote.AGREED);
                modern |= ended.detail().equals(HandshakeNote.MODERN_ERROR);
                timeUp |= ended.detail().equals(HandshakeNote.TIME_UP);
            }
        }

        SessionFacts facts(TranscriptHeader header) {
            List<String> remaining = !agreed || timeUp ? List.of() : Scripts.byLabel(header.script()).steps().stream()
                    .map(Step::id).filter(id -> !reached.contains(id)).toList();
            return new SessionFacts(header.session(), header.script(), agreed, modern || agreed && header.era() == Era.MODERN, remaining);
        }
    }
}
