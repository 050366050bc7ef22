package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The observations that the steps of one session and its continuations were made for. */
final class GroupObserver {
    private final Group group;
    private final List<Group> groups;
    private final String modernRevision;
    /** Names the finding by which the main session of the era ended, see {@link Cause}; or empty. */
    private final String earlierCause;

    private GroupObserver(Group group, List<Group> groups, String modernRevision) {
        this.group = group;
        this.groups = groups;
        this.modernRevision = modernRevision;
        this.earlierCause = Cause.first(groups.stream().filter(other -> other.base().equals(group.era().id()) && other != group)
                .flatMap(other -> other.sessions().stream()).toList());
    }

    /**
     * @param groups         all of the era, {@code group} among them
     * @param modernRevision the modern revision that the server serves, or empty
     */
    static List<Observation> observe(Group group, List<Group> groups, String modernRevision) {
        return new GroupObserver(group, groups, modernRevision).all();
    }

    private List<Observation> all() {
        List<Observation> out = new ArrayList<>();
        for (Group.Placed placed : group.steps()) {
            out.addAll(step(placed.log(), placed.step()));
        }
        out.addAll(FrameObserver.notifications(group));
        out.addAll(BatchObserver.received(group));
        out.addAll(Liveness.observe(group));
        List<Observation> missing = new ArrayList<>();
        for (Check check : ScriptChecks.of(group.first().header().script())) {
            boolean asked = group.steps().stream().anyMatch(placed -> placed.step().probe().equals(check.id()) && !placed.step().skipped());
            if (!asked && out.stream().noneMatch(o -> o.subject().check().equals(check.id()))) {
                missing.addAll(neverMade(check));
            }
        }
        out.addAll(missing);
        return out;
    }

    private List<Observation> step(SessionLog log, StepView step) {
        Optional<Check> named = Check.of(step.probe());
        if (named.isEmpty()) {
            return step.probe().equals(Probe.VALID_TWIN) && log.handshake().done() ? OutputObserver.observe(log, step) : List.of();
        }
        Check check = named.get();
        if (check == Check.SERVER_INITIALIZE) {
            return List.of(HandshakeObserver.initialize(log, step));
        } else if (check == Check.DISCOVER) {
            List<Observation> out = new ArrayList<>(List.of(HandshakeObserver.discover(log, step)));
            out.addAll(HandshakeObserver.listsVersion(log));
            return out;
        } else if (check == Check.UNSUPPORTED_VERSION) {
            return List.of(HandshakeObserver.unsupportedVersion(log, step, modernRevision));
        } else if (check == Check.ERA_DETECT || check == Check.ID_ECHO) {
            // Judged over all sessions.
            return List.of();
        }
        if (!log.handshake().done()) {
            return List.of();
        }
        return switch (check) {
            case PING -> List.of(RequestObserver.ping(log, step));
            case METHOD_NOT_FOUND -> List.of(RequestObserver.methodNotFound(log, step));
            case TOOLS_LIST -> ToolListObserver.observe(log, step);
            case TOOLS_CAPABILITY -> step.skipped() ? List.of() : List.of(RequestObserver.undeclaredTools(log, step));
            case MALFORMED_JSON -> List.of(FrameObserver.malformedJson(log, step));
            case INVALID_UTF8 -> List.of(FrameObserver.invalidUtf8(log, step));
            case ID_NULL_REQUEST -> List.of(FrameObserver.nullId(log, step));
            case CANCELLED_UNKNOWN -> List.of(FrameObserver.cancelled(log, step));
            case BATCH_REJECT -> List.of(BatchObserver.rejected(log, step));
            case TOOLS_LIST_INVALID_CURSOR, RESOURCE_NOT_FOUND, META_MISSING_META, META_MISSING_PROTOCOL_VERSION, META_MISSING_CLIENT_CAPABILITIES, META_CLIENT_INFO_OPTIONAL ->
                    List.of(RequestObserver.plain(check, log, step));
            case SUBSCRIPTIONS_ACK -> List.of(SubscriptionObserver.acknowledged(log, step));
            case REMOVED_METHODS -> List.of(RequestObserver.removedMethod(log, step));
            case STDIN_EOF -> List.of(ShutdownObserver.observe(log, step));
            case TOOLS_CALL_UNKNOWN, TOOLS_CALL_WRONG_TYPE, TOOLS_CALL_MISSING_REQUIRED, TOOLS_CALL_NO_NAME, TOOLS_CALL_BAD_ARGUMENTS,
                 TOOLS_CALL_EXTRA_ARGUMENT_OPEN, TOOLS_CALL_EXTRA_ARGUMENT_CLOSED -> List.of(CallObserver.observe(check, groups, group, log, step));
            default -> List.of();
        };
    }

    /** The check's step was not reached: what the handshake shows, or why it was not. */
    private List<Observation> neverMade(Check check) {
        Optional<SessionLog> open = group.open();
        // Quick scripts do not ask a server for tools that it does not declare; what it declares is seen all the same.
        boolean quick = group.first().header().script().contains("-quick@");
        if (check == Check.TOOLS_CAPABILITY && open.isPresent() && (open.get().handshake().tools() || quick)) {
            return List.of(ToolListObserver.capability(open.get()));
        }
        SessionLog log = open.orElse(group.first());
        return List.of(new Observation.NotRun(Subjects.of(check, log), open.isEmpty() ? noHandshake(log) : notReached(), "", List.of()));
    }

    private String noHandshake(SessionLog log) {
        if (log.era() == Era.LEGACY && !log.handshake().revision().isEmpty()) {
            return "unknown revision" + Cause.noHandshake(log.era());
        }
        boolean main = log.base().equals(log.era().id());
        return main || earlierCause.isEmpty() ? "no handshake" + Cause.noHandshake(log.era()) : "no handshake" + earlierCause;
    }

    private String notReached() {
        SessionLog last = group.sessions().get(group.sessions().size() - 1);
        String at = last.steps().isEmpty() ? "" : " at step " + last.steps().get(last.steps().size() - 1).id();
        String cause = Cause.of(last).isEmpty() ? earlierCause : Cause.of(last);
        if (last.ownEnd().isPresent()) {
            return "server ended" + at + cause;
        }
        if (last.ownClose().isPresent()) {
            return "stdout was closed" + at + cause;
        }
        boolean time = last.events().stream().anyMatch(e -> e instanceof Event.StepEnded ended && ended.detail().equals(StepView.TIME_UP));
        boolean capped = last.cappedAt() < Integer.MAX_VALUE;
        return time ? StepView.TIME_UP : at.isEmpty() || capped ? "not reached" : "nothing was answered any more" + at + cause;
    }
}
