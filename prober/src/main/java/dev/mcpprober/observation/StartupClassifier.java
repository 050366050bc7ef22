package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.observation.TargetObservations.StartupFailure;
import dev.mcpprober.transcript.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Why no session came about. The engine's word and the frames decide first; text is read only of a process that ended or
 * never replied, and only in forms that say what they mean.
 */
final class StartupClassifier {
    private static final Pattern ANSI = Pattern.compile("\u001B(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\u0007\u001B]*(?:\u0007|\u001B\\\\)|[@-Z\\\\-_])");
    /** As it looks inside a log line, in single quotes, with a comma after it, or with its members in capitals. */
    private static final Pattern REPLY = Pattern.compile("(?si)[\"']jsonrpc[\"'].*[\"'](?:result|error)[\"']\\s*:");
    private static final int MAX_WITNESS = 12;

    private final SessionLog log;
    private final List<Integer> witness = new ArrayList<>();

    private StartupClassifier(SessionLog log) {
        this.log = log;
        if (log.handshake().exchange() != null) {
            witness.add(log.handshake().exchange().sentAt());
        }
    }

    /** @param log a session without a handshake */
    static StartupFailure classify(SessionLog log) {
        return new StartupClassifier(log).decide();
    }

    private StartupFailure decide() {
        Exchange exchange = log.handshake().exchange();
        Optional<Event.Terminated> ended = log.ownEnd();
        if (ended.isPresent() && ended.get().how().equals("oom-killed")) {
            return failure("oom-killed", "killed for want of memory", ended.get().index());
        }
        if (exchange != null && exchange.answer() != null) {
            return answered(exchange);
        }
        if (exchange != null && exchange.nearMiss() != null && !exchange.nearMiss().flag().equals(Flag.FRAMING)) {
            return failure("bad-initialize-result", "the reply carries id " + Phrase.quote(exchange.nearMiss().response().id())
                    + " instead of " + Phrase.quote(exchange.id()), exchange.nearMiss().event());
        }
        Optional<StartupFailure> framing = framing().or(this::pastOurLimit);
        if (framing.isPresent()) {
            return framing.get();
        }
        boolean silentAtEof = exchange != null && exchange.afterEof() != null;
        if (!silentAtEof) {
            Optional<StartupFailure> said = said(ended);
            if (said.isPresent()) {
                return said.get();
            }
        }
        if (ended.isPresent()) {
            return exit(ended.get());
        }
        Optional<StartupFailure> garbled = silentAtEof ? Optional.empty() : garbled();
        if (garbled.isPresent()) {
            return garbled.get();
        }
        if (silentAtEof) {
            return failure("hang-no-reply", "answers only after stdin closes", exchange.afterEof().event());
        }
        String how = log.cappedAt() < Integer.MAX_VALUE ? "floods stdout, and no reply is among what was kept of it" : "the process runs and does not reply";
        return log.ownClose().map(closed -> failure("hang-no-reply", "stdout was closed, the process runs", closed.index()))
                .orElseGet(() -> failure("hang-no-reply", how + lastWords()));
    }

    private StartupFailure answered(Exchange exchange) {
        int at = exchange.answer().event();
        JsonNode node = exchange.answer().response().node();
        if (exchange.answer().response().hasError()) {
            JsonNode error = node.get("error");
            boolean version = error.path("data").has("supported") || error.path("code").asLong() == -32022
                    || error.path("message").asText().toLowerCase(Locale.ROOT).matches("(?s).*unsupported protocol version.*");
            return failure(version ? "unsupported-version" : "bad-initialize-result", "error: " + Phrase.quote(error), at);
        }
        JsonNode version = log.handshake().result().path("protocolVersion");
        if (version.isTextual()) {
            return failure("unsupported-version", "answered protocol version " + Phrase.quote(version), at);
        }
        JsonNode supported = log.handshake().result().path("supportedVersions");
        if (supported.isArray()) {
            return failure("unsupported-version", "supports " + Phrase.quote(supported), at);
        }
        List<String> faults = HandshakeObserver.initializeFaults(log.handshake().result());
        return failure("bad-initialize-result", String.join(", ", faults) + ": " + Phrase.quote(node), at);
    }

    /** The server talks, and what it says would be a message if it were framed as one line. */
    private Optional<StartupFailure> framing() {
        for (Misframing.Found found : log.stdout().misframing().found()) {
            String words = switch (found.flag()) {
                case Flag.MULTI_LINE -> "one message over " + Phrase.count(found.events().size(), "line");
                case Flag.SAME_LINE -> "several messages on one line";
                case Flag.CONTENT_LENGTH -> "Content-Length header in front of the message";
                default -> blankBefore(found.lastEvent()) ? "a line feed before the message instead of after it" : "no line feed after the message";
            };
            String quote = found.messages().isEmpty() ? "" : ": " + Phrase.quote(found.messages().get(0).node());
            return Optional.of(failure("bad-framing", words + quote, found.events().subList(0, Math.min(MAX_WITNESS, found.events().size())).toArray(Integer[]::new)));
        }
        return Optional.empty();
    }

    /** A line that was not read may have been the reply: what it was cannot be told, but it was no silence. */
    private Optional<StartupFailure> pastOurLimit() {
        return log.stdout().unreadableJson().stream().filter(event -> event > asked()).findFirst()
                .map(event -> failure("bad-initialize-result", "the only line that may be the reply is past a limit of ours: too long, too deep or with too many values", event));
    }

    /** The process talks, and what it says holds the reply or is no text at all, but nobody can read it as a message. */
    private Optional<StartupFailure> garbled() {
        for (StdoutReader.Said said : log.stdout().said()) {
            String text = said.text().replace("\u0000", "");
            // A message in a string, encoded twice, has its quotes escaped.
            if (said.event() > asked() && REPLY.matcher(text.replace("\\", "")).find() && (said.terminated() || whole(text))) {
                return Optional.of(failure("bad-framing", "a line that holds a reply is no JSON-RPC message: " + Phrase.quote(said.text().strip()), said.event()));
            }
        }
        Breaches binary = log.stdout().utf8();
        return binary.none() ? Optional.empty() : Optional.of(failure("bad-framing", "stdout is no UTF-8 text: " + binary.first(), binary.witness().toArray(Integer[]::new)));
    }

    /** What no line feed ends is a reply only with all that belongs to it; a part of one may be all that came before the server stopped. */
    private static boolean whole(String text) {
        int from = text.indexOf('{');
        int depth = 0;
        boolean inString = false;
        for (int i = Math.max(from, 0); i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString) {
                inString = c != '"';
                i += c == '\\' ? 1 : 0;
            } else if (c == '"') {
                inString = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return true;
            }
        }
        return false;
    }

    /** Event of the opening request. */
    private int asked() {
        return log.handshake().exchange() == null ? -1 : log.handshake().exchange().sentAt();
    }

    private boolean blankBefore(int event) {
        return log.stdout().said().stream().anyMatch(said -> said.event() < event && said.blank());
    }

    /** What the server said about itself on stderr, or in text on stdout. */
    private Optional<StartupFailure> said(Optional<Event.Terminated> ended) {
        String stderr = plain(log.stderr());
        StringBuilder out = new StringBuilder();
        List<Integer> outEvents = new ArrayList<>();
        for (StdoutReader.Said line : log.stdout().said()) {
            if (!line.blank()) {
                out.append(plain(line.text())).append(line.terminated() ? "\n" : "");
                outEvents.add(line.event());
            }
        }
        List<Integer> errEvents = log.stderrEvents();
        for (String text : List.of(out.toString(), stderr)) {
            Optional<String> prompt = Prompt.in(text, ended.isPresent());
            if (prompt.isPresent()) {
                return Optional.of(failure("interactive-prompt", "waits for an answer to: " + prompt.get(),
                        (text.equals(stderr) ? errEvents : outEvents).toArray(Integer[]::new)));
            }
        }
        Optional<Traceback> crash = ended.isPresent() ? Traceback.in(stderr).or(() -> Traceback.in(out.toString())) : Optional.empty();
        for (String text : List.of(stderr, out.toString())) {
            Optional<ConfigNeed> need = ConfigNeed.in(text, ended.isPresent());
            if (need.isPresent() && !(crash.isPresent() && crash.get().otherCause() && !crash.get().text().contains(need.get().sentence()))) {
                return Optional.of(failure("needs-config", String.join(", ", need.get().names()) + ": " + need.get().sentence(),
                        (text.equals(stderr) ? errEvents : outEvents).toArray(Integer[]::new)));
            }
        }
        return crash.map(c -> failure("crash-traceback", c.type() + (c.message().isEmpty() ? "" : ": " + c.message()) + ", " + Life.words(ended.get()),
                (stderr.contains(c.text()) ? errEvents : outEvents).toArray(Integer[]::new)));
    }

    private StartupFailure exit(Event.Terminated end) {
        if (end.how().equals("exited") && end.status() == 0) {
            return failure("exit-silent", "ended with status 0 before a reply" + lastWords(), end.index());
        }
        return failure("exit-nonzero", Life.words(end) + lastWords(), end.index());
    }

    /** The last line of stderr, else of stdout, for a reader. */
    private String lastWords() {
        String text = plain(log.stderr()).strip();
        if (text.isEmpty()) {
            StringBuilder out = new StringBuilder();
            log.stdout().said().forEach(line -> out.append(plain(line.text())).append('\n'));
            text = out.toString().strip();
        }
        String last = text.substring(text.lastIndexOf('\n') + 1).strip();
        return last.isEmpty() ? "" : "; last words: " + Phrase.quote(last);
    }

    private static String plain(String text) {
        return ANSI.matcher(text).replaceAll("");
    }

    private StartupFailure failure(String kind, String detail, Integer... events) {
        List<Integer> all = new ArrayList<>(witness);
        List<Integer> shown = List.of(events);
        all.addAll(shown.subList(Math.max(0, shown.size() - MAX_WITNESS), shown.size()));
        log.ownEnd().map(Event.Terminated::index).filter(index -> !all.contains(index)).ifPresent(all::add);
        return new StartupFailure(kind, Phrase.detail(detail), log.name(), all.stream().distinct().sorted().toList());
    }
}
