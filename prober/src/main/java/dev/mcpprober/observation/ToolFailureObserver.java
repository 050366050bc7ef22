package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.toolfailure.Canary;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.Finding;
import dev.mcpprober.toolfailure.Statement;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.Validator;
import dev.mcpprober.transcript.Planted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The toolFailure objects of an era's sessions. A server that never sends the key has no row: the proposal asks nothing of it.
 * Members are judged where the key stands in its place on an error; elsewhere the object counts as absent.
 */
final class ToolFailureObserver {
    private static final String NONE_ON_ERROR = "no error result carries the key in its place";

    /** What one statement made of one object. */
    private record Judged(SessionLog log, FailureReply reply, Finding finding) {}

    private final List<SessionLog> logs;
    private final Map<SessionLog, List<FailureReply>> replies;
    private final Map<Statement, List<Judged>> judged = new LinkedHashMap<>();

    private ToolFailureObserver(List<SessionLog> logs, Map<SessionLog, List<FailureReply>> replies) {
        this.logs = logs;
        this.replies = replies;
        for (SessionLog log : logs) {
            for (FailureReply reply : replies.get(log)) {
                if (reply.judged()) {
                    Validator.judge(reply.value(), new Validator.Surroundings(log.header().startedAt(), canaries(log, reply)))
                            .forEach(f -> judged.computeIfAbsent(f.statement(), key -> new ArrayList<>()).add(new Judged(log, reply, f)));
                }
            }
        }
    }

    /** @param replies of each of {@code logs} */
    static List<Observation> observe(List<SessionLog> logs, Map<SessionLog, List<FailureReply>> replies) {
        return logs.stream().allMatch(log -> replies.get(log).isEmpty()) ? List.of() : new ToolFailureObserver(logs, replies).all();
    }

    private List<Observation> all() {
        List<Observation> out = new ArrayList<>();
        for (Statement statement : Statement.values()) {
            out.add(statement(Check.of(statement.id()).orElseThrow(), judged.getOrDefault(statement, List.of())));
        }
        out.add(distinct());
        out.add(onlyOnError());
        out.add(placement());
        return out;
    }

    private Observation statement(Check check, List<Judged> found) {
        List<Judged> violating = in(found, Finding.State.VIOLATES);
        List<Judged> present = in(found, Finding.State.PRESENT);
        if (!violating.isEmpty()) {
            return breached(check, log -> {
                Breaches breaches = new Breaches();
                violating.stream().filter(j -> j.log() == log).forEach(j -> breaches.add(j.finding().kind().id(), () -> j.finding().words(), j.reply().witness()));
                return breaches;
            });
        }
        List<Judged> shown = present.isEmpty() ? in(found, Finding.State.ABSENT) : present;
        if (!shown.isEmpty()) {
            Set<String> notes = present.stream().filter(j -> j.finding().kind() != null).map(j -> j.finding().kind().id()).collect(Collectors.toSet());
            String words = shown.stream().map(j -> j.finding().words()).distinct().collect(Collectors.joining("; "));
            return new Observation.Finding(Subjects.of(check, shown.get(0).log()), present.isEmpty() ? Observed.ABSENT : Observed.PRESENT, notes,
                    Phrase.detail(words), shown.get(0).reply().witness());
        }
        return new Observation.NotRun(Subjects.of(check, logs.get(0)), found.isEmpty() ? NONE_ON_ERROR : found.get(0).finding().words(), "", List.of());
    }

    private static List<Judged> in(List<Judged> found, Finding.State state) {
        return found.stream().filter(j -> j.finding().state() == state).toList();
    }

    private Observation.Finding breached(Check check, java.util.function.Function<SessionLog, Breaches> find) {
        return Breaches.over(logs, new Breaches.Rule(check, Observed.PRESENT, Observed.VIOLATES, find), Set.of());
    }

    /** Ids are compared within one process: a log of its own begins with each. */
    private Observation distinct() {
        Check check = Check.SEP_3313_CORRELATION_ID_DISTINCT;
        SessionLog compared = null;
        List<Integer> witness = new ArrayList<>();
        Map<SessionLog, Breaches> breaches = new HashMap<>();
        boolean any = false;
        Set<String> notes = new HashSet<>();
        for (SessionLog log : logs) {
            Breaches found = new Breaches();
            Map<String, FailureReply> first = new HashMap<>();
            List<FailureReply> withId = replies.get(log).stream().filter(r -> r.judged() && id(r) != null).toList();
            for (FailureReply reply : withId) {
                FailureReply before = first.putIfAbsent(id(reply), reply);
                if (before != null) {
                    boolean same = before.exchange().params().equals(reply.exchange().params());
                    found.add(same ? Flag.SAME_CALL : Flag.OTHER_CALL, () -> "the same correlationId for " + (same ? "two tries of one call: " : "two different calls: ")
                            + Phrase.quote(id(reply)), before.exchange().sentAt(), before.event(), reply.exchange().sentAt(), reply.event());
                    any = true;
                }
                if (id(reply).equals(reply.exchange().id().asText())) {
                    notes.add(Flag.EQUALS_REQUEST_ID);
                }
            }
            breaches.put(log, found);
            if (compared == null && withId.size() > 1) {
                compared = log;
                withId.stream().limit(2).forEach(r -> witness.addAll(r.witness()));
            }
        }
        if (any) {
            return breached(check, breaches::get);
        }
        if (compared == null) {
            return new Observation.NotRun(Subjects.of(check, logs.get(0)), "no session has two failures with a correlationId", "", List.of());
        }
        return new Observation.Finding(Subjects.of(check, compared), Observed.PRESENT, notes, "", witness.stream().sorted().toList());
    }

    /** The correlationId of an object in its place, or null. */
    private static String id(FailureReply reply) {
        return reply.value() instanceof ExactJson.Obj object ? new ToolFailure(object).correlationId().orElse(null) : null;
    }

    private Observation onlyOnError() {
        Check check = Check.SEP_3313_ONLY_ON_ERROR;
        for (SessionLog log : logs) {
            if (replies.get(log).stream().anyMatch(r -> r.value() != null && !r.onError())) {
                return breached(check, this::onSuccess);
            }
        }
        for (SessionLog log : logs) {
            for (FailureReply reply : replies.get(log)) {
                if (reply.value() != null) {
                    return new Observation.Finding(Subjects.of(check, log), Observed.PRESENT, Set.of(), "", reply.witness());
                }
            }
        }
        return new Observation.NotRun(Subjects.of(check, logs.get(0)), "no result carries the key in its place", "", List.of());
    }

    private Breaches onSuccess(SessionLog log) {
        Breaches out = new Breaches();
        replies.get(log).stream().filter(r -> r.value() != null && !r.onError()).forEach(r -> out.add(r.textReportsError() ? Flag.ERROR_TEXT : "",
                () -> "the key stands on a result without isError: " + Phrase.quote(r.response().path("result")), r.witness()));
        return out;
    }

    private Observation placement() {
        Check check = Check.SEP_3313_META_PLACEMENT;
        Observation.Finding strays = Breaches.over(logs, new Breaches.Rule(check, Observed.PRESENT, Observed.MISPLACED, this::strays), Set.of());
        if (strays.observed().equals(Observed.MISPLACED)) {
            return strays;
        }
        SessionLog log = logs.stream().filter(l -> !replies.get(l).isEmpty()).findFirst().orElseThrow();
        return new Observation.Finding(Subjects.of(check, log), Observed.PRESENT, Set.of(), "", replies.get(log).get(0).witness());
    }

    private Breaches strays(SessionLog log) {
        Breaches out = new Breaches();
        for (FailureReply reply : replies.get(log)) {
            for (String at : reply.strays()) {
                out.add(place(at), () -> "the key stands in " + Phrase.quote(at) + ": " + Phrase.quote(reply.response()), reply.witness());
            }
        }
        return out;
    }

    private static String place(String at) {
        if (at.equals("/error") || at.startsWith("/error/")) {
            return Flag.IN_ERROR;
        } else if (at.equals("/result")) {
            return Flag.BESIDE_META;
        } else if (at.startsWith("/result/structuredContent")) {
            return Flag.IN_STRUCTURED;
        }
        return at.startsWith("/result/content") ? Flag.IN_CONTENT : Flag.ELSEWHERE;
    }

    /**
     * Texts of the call, of the client, and of what the server was started with; what the tool's own schema says is no secret of any.
     * A program has its command line from its user, but only paths in it are taken: other words are as likely its own.
     */
    private static List<Canary> canaries(SessionLog log, FailureReply reply) {
        Set<String> known = new HashSet<>();
        ToolList.of(log).tool(reply.exchange().params().path("name").asText()).ifPresent(tool -> texts(tool.node(), known));
        Set<String> sent = new LinkedHashSet<>();
        texts(reply.exchange().params().path("arguments"), sent);
        sent.removeAll(known);
        List<Canary> out = new ArrayList<>();
        sent.forEach(text -> out.add(new Canary(Finding.Kind.ARGUMENT, text)));
        Set<String> client = new LinkedHashSet<>();
        texts(reply.exchange().params().path("_meta").path("io.modelcontextprotocol/clientInfo"), client);
        if (log.handshake().exchange() != null) {
            texts(log.handshake().exchange().params().path("clientInfo"), client);
        }
        client.forEach(text -> out.add(new Canary(Finding.Kind.CLIENT_INFO, text)));
        out.add(new Canary(Finding.Kind.ENVIRONMENT, Planted.VALUE));
        log.header().argv().stream().filter(word -> word.contains("/")).forEach(path -> out.add(new Canary(Finding.Kind.ENVIRONMENT, path)));
        return out;
    }

    private static void texts(JsonNode node, Set<String> out) {
        if (node.isTextual()) {
            out.add(node.textValue());
        } else {
            node.forEach(child -> texts(child, out));
        }
    }
}
