package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a finished session tells the plan, read from its transcript alone, so that a resumed run plans as the first one did.
 *
 * @param name       of the session in the plan; the same in every repeat
 * @param script     label of its script
 * @param agreed     a handshake came about
 * @param modernHint the server showed itself modern: agreed to {@code server/discover}, or refused it as only a modern server does
 * @param remaining  ids of steps that the script has and the session did not reach, because the server was lost on the way; none where that
 *                   happened before it had answered anything but the handshake, in a session that only asks further
 * @param calls      what the session did of its calls to all tools, if it was to make any
 */
public record SessionFacts(String name, String script, boolean agreed, boolean modernHint, List<String> remaining, Calls calls) {
    /**
     * Calls to all tools.
     *
     * @param made  ids of their steps, in order
     * @param nanos from the beginning of the first to the end of the last
     */
    public record Calls(List<String> made, long nanos) {
        public static final Calls NONE = new Calls(List.of(), 0);

        public Calls {
            made = List.copyOf(made);
        }
    }

    public SessionFacts {
        remaining = List.copyOf(remaining);
    }

    public SessionFacts(String name, String script, boolean agreed, boolean modernHint, List<String> remaining) {
        this(name, script, agreed, modernHint, remaining, Calls.NONE);
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
        private boolean answered;
        private boolean unanswered;
        private final List<String> calls = new ArrayList<>();
        private long callsBegan;
        private long callsEnded;

        void take(Event event) {
            if (event instanceof Event.StepBegan began) {
                reached.add(began.step());
                if (began.step().startsWith(ToolProgram.STEP)) {
                    callsBegan = calls.isEmpty() ? began.nanos() : callsBegan;
                    calls.add(began.step());
                }
                callsEnded = began.nanos();
            } else if (event instanceof Event.StepEnded ended) {
                agreed |= ended.outcome() == StepOutcome.REPLIED && ended.detail().startsWith(HandshakeNote.AGREED);
                modern |= ended.detail().equals(HandshakeNote.MODERN_ERROR);
                timeUp |= ended.detail().equals(HandshakeNote.TIME_UP);
                answered |= ended.outcome() == StepOutcome.REPLIED && !ended.detail().startsWith(HandshakeNote.AGREED);
                unanswered |= ended.outcome() == StepOutcome.DEADLINE;
                callsEnded = ended.nanos();
            }
        }

        SessionFacts facts(TranscriptHeader header) {
            // A server that lets everything wait in a process that runs does so in the next one too. The main session shows it for each request;
            // to try again in all the others takes minutes and shows nothing more.
            boolean mute = unanswered && !answered && !SessionName.of(header.session()).base().equals(header.era().id());
            List<String> remaining = !agreed || timeUp || mute ? List.of() : Scripts.byLabel(header.script()).steps().stream()
                    .map(Step::id).filter(id -> !reached.contains(id)).toList();
            return new SessionFacts(SessionName.of(header.session()).plan(), header.script(), agreed, modern || agreed && header.era() == Era.MODERN, remaining,
                    calls.isEmpty() ? Calls.NONE : new Calls(calls, callsEnded - callsBegan));
        }
    }
}
