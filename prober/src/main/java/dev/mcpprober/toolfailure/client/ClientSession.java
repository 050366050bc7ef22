package dev.mcpprober.toolfailure.client;

import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An open session: requests, each under an id of its own, one at a time. What it sends does not depend on the extension. */
public final class ClientSession implements AutoCloseable {
    private static final int MAX_PAGES = 50;
    private static final int MAX_LINES = 20_000;
    private static final int MAX_NOISE = 120;
    private static final int NONE = -1;

    /**
     * How long to wait, and who to be.
     *
     * @param start   for the first answer of a process
     * @param request for every later one
     * @param version of this program, as told to servers
     */
    public record Settings(Duration start, Duration request, String version) {}

    private final Lines lines;
    private final Settings settings;
    private final ClientClock clock;
    private final ClientFrames frames;
    private final List<String> sent = new ArrayList<>();
    private final Map<String, Hints> hints = new HashMap<>();
    private ProtocolRevision revision;
    private ExactJson serverInfo = new ExactJson.Null();
    /** Answer to {@code awaited}, a request that was sent before the one that is waited for. */
    private final Deque<Answer> early = new ArrayDeque<>();
    private int awaited = NONE;
    private int nextId = 1;
    private int noiseCount;
    private String firstNoise = "";

    private ClientSession(Lines lines, Settings settings, ClientClock clock) {
        this.lines = lines;
        this.settings = settings;
        this.clock = clock;
        this.frames = new ClientFrames(settings.version());
    }

    /**
     * Opens a session of the wanted era, or of the one that the server has, modern first. A server is asked for the modern era in a
     * process of its own, which the legacy handshake would not find as it was.
     *
     * @param era empty for either
     */
    public static ClientSession open(Lines.Opener opener, Optional<Era> era, Settings settings, ClientClock clock)
            throws SessionFailure, IOException, InterruptedException {
        if (era.orElse(Era.MODERN) == Era.MODERN) {
            ClientSession session = new ClientSession(opener.open(), settings, clock);
            Optional<String> refused = Optional.of("interrupted");
            try {
                // Whoever wants this era alone has nothing else to turn to, and gives a cold start its time.
                refused = session.discover(era.isPresent() ? settings.start() : settings.request());
                if (refused.isEmpty()) {
                    return session;
                }
            } finally {
                refused.ifPresent(why -> session.close());
            }
            if (era.isPresent()) {
                throw new SessionFailure(refused.get());
            }
        }
        ClientSession session = new ClientSession(opener.open(), settings, clock);
        boolean open = false;
        try {
            session.initialize();
            session.readTools();
            open = true;
            return session;
        } finally {
            if (!open) {
                session.close();
            }
        }
    }

    /** Why there is no modern session; empty where there is one. */
    private Optional<String> discover(Duration limit) throws IOException, InterruptedException {
        ProtocolRevision modern = ProtocolRevision.V2026_07_28;
        int id = nextId++;
        Answer answer = exchange(id, frames.request(modern, id, "server/discover", ""), limit, Era.MODERN);
        if (!(answer instanceof Answer.Result result)) {
            return Optional.of("no answer to server/discover: " + brief(answer));
        }
        ExactJson versions = result.value().member("supportedVersions").orElse(new ExactJson.Null());
        if (!(versions instanceof ExactJson.Arr array) || !array.items().contains(new ExactJson.Text(modern.date()))) {
            return Optional.of("the server does not offer " + modern.date() + ": " + versions.brief(200));
        }
        revision = modern;
        serverInfo = result.value().member("_meta").flatMap(meta -> meta.member("io.modelcontextprotocol/serverInfo")).orElse(new ExactJson.Null());
        readTools();
        return Optional.empty();
    }

    private void initialize() throws SessionFailure, IOException, InterruptedException {
        int id = nextId++;
        Answer answer = exchange(id, frames.initialize(id, ProtocolRevision.V2025_11_25), settings.start(), Era.LEGACY);
        if (!(answer instanceof Answer.Result result)) {
            throw new SessionFailure("no answer to initialize: " + brief(answer));
        }
        String answered = result.value().member("protocolVersion").flatMap(ExactJson::asText).orElse("");
        revision = ProtocolRevision.of(answered).filter(known -> known.era() == Era.LEGACY)
                .orElseThrow(() -> new SessionFailure("initialize was answered with a protocolVersion that this client does not know: "
                        + result.value().member("protocolVersion").orElse(new ExactJson.Null()).brief(100)));
        serverInfo = result.value().member("serverInfo").orElse(new ExactJson.Null());
        send(frames.initialized());
    }

    private void readTools() throws IOException, InterruptedException {
        String cursor = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            if (!(request("tools/list", cursor).answer() instanceof Answer.Result result)) {
                return;
            }
            if (result.value().member("tools").orElse(null) instanceof ExactJson.Arr tools) {
                tools.items().forEach(tool -> tool.member("name").flatMap(ExactJson::asText).ifPresent(name -> hints.putIfAbsent(name, Hints.of(tool))));
            }
            Optional<String> next = result.value().member("nextCursor").flatMap(ExactJson::asText);
            String members = next.map(text -> "\"cursor\":" + ClientFrames.quote(text)).orElse("");
            if (members.isEmpty() || members.equals(cursor)) {
                return;
            }
            cursor = members;
        }
    }

    /** The negotiated revision. */
    public ProtocolRevision revision() {
        return revision;
    }

    /** As the server gives it; Null where it gives none. */
    public ExactJson serverInfo() {
        return serverInfo;
    }

    /** What a tool says of itself; {@link Hints#UNLISTED} for one that is not in the list. */
    public Hints hints(String tool) {
        return hints.getOrDefault(tool, Hints.UNLISTED);
    }

    /** Every line sent so far, in order. */
    public List<String> sent() {
        return List.copyOf(sent);
    }

    /**
     * A request and what came for it.
     *
     * @param sent as it went out
     */
    public record Exchange(String sent, Answer answer) {}

    /**
     * Sends a request under a new id and waits for its answer.
     *
     * @param members of params as JSON text, without braces; may be empty
     */
    public Exchange request(String method, String members) throws IOException, InterruptedException {
        int id = nextId++;
        String frame = frames.request(revision, id, method, members);
        return new Exchange(frame, exchange(id, frame, settings.request(), revision.era()));
    }

    /**
     * Sends two requests before either is answered, and waits for both answers, which may come in any order.
     *
     * @return the answers in the order of the requests
     */
    public List<Answer> requestBoth(String method, String firstMembers, String secondMembers) throws IOException, InterruptedException {
        int first = nextId++;
        send(frames.request(revision, first, method, firstMembers));
        int second = nextId++;
        early.clear();
        awaited = first;
        Answer ofSecond = exchange(second, frames.request(revision, second, method, secondMembers), settings.request(), revision.era());
        awaited = NONE;
        Answer ofFirst = early.isEmpty() ? await(first, settings.request(), revision.era()) : early.remove();
        return List.of(ofFirst, ofSecond);
    }

    /** How many lines were no JSON, and the beginning of the first, raw; empty where there was none. */
    public Optional<String> noise() {
        return noiseCount == 0 ? Optional.empty() : Optional.of(noiseCount + (noiseCount == 1 ? " line" : " lines") + " on stdout that are no messages, first: " + firstNoise);
    }

    private void noise(String line) {
        firstNoise = noiseCount++ == 0 ? line.substring(0, Math.min(line.length(), MAX_NOISE)) : firstNoise;
    }

    private void send(String line) {
        sent.add(line);
        lines.send(line);
    }

    private Answer exchange(int id, String frame, Duration limit, Era era) throws IOException, InterruptedException {
        send(frame);
        return await(id, limit, era);
    }

    private Answer await(int id, Duration limit, Era era) throws IOException, InterruptedException {
        String unread = "";
        long end = clock.nanos() + limit.toNanos();
        for (int count = 0; count < MAX_LINES; count++) {
            long left = end - clock.nanos();
            if (left <= 0) {
                break;
            }
            Lines.Arrival arrival = lines.next(Duration.ofNanos(left));
            if (arrival instanceof Lines.Arrival.Line line) {
                Optional<Answer> answer = read(line.text(), id, era);
                if (answer.isPresent()) {
                    return answer.get();
                }
            } else if (arrival instanceof Lines.Arrival.Ended ended) {
                return new Answer.Missing(ended.how());
            } else if (arrival instanceof Lines.Arrival.Unreadable unreadable) {
                // It may have been the answer; if it was not, that is still to come.
                unread = ", but a line that cannot be read: " + unreadable.why();
                noise(unreadable.why());
            }
        }
        return new Answer.Missing((clock.nanos() < end ? MAX_LINES + " lines and no answer among them" : "no answer within " + limit.toMillis() / 1000.0 + " s") + unread);
    }

    /** Meets what the server wants meanwhile, while nothing is asked of it. */
    public void idle() throws IOException, InterruptedException {
        for (int count = 0; count < MAX_LINES; count++) {
            if (!(lines.next(Duration.ZERO) instanceof Lines.Arrival.Line line)) {
                return;
            }
            read(line.text(), NONE, revision.era());
        }
    }

    private Optional<Answer> read(String text, int id, Era era) {
        Optional<ExactJson> value = ExactJson.parse(text);
        if (value.isEmpty()) {
            if (Json.parse(text) instanceof Json.Parsed.OverLimit over) {
                return Optional.of(new Answer.Missing("a line past a limit of this client: " + over.reason()));
            }
            noise(text);
            return Optional.empty();
        }
        Optional<Answer> found = Optional.empty();
        for (ExactJson message : value.get() instanceof ExactJson.Arr batch ? batch.items() : List.of(value.get())) {
            Optional<Answer> answer = message(message, id, era);
            found = found.isPresent() ? found : answer;
        }
        return found;
    }

    private Optional<Answer> message(ExactJson message, int id, Era era) {
        Optional<ExactJson> theirs = message.member("id");
        if (message.member("method").isPresent()) {
            // In the modern era a client must not write responses.
            if (era == Era.LEGACY && theirs.isPresent() && !(theirs.get() instanceof ExactJson.Null)) {
                boolean ping = message.member("method").flatMap(ExactJson::asText).orElse("").equals("ping");
                send("{\"jsonrpc\":\"2.0\",\"id\":" + theirs.get().json() + (ping ? ",\"result\":{}}"
                        : ",\"error\":{\"code\":-32601,\"message\":\"Method not found: this client offers no capabilities\"}}"));
            }
            return Optional.empty();
        }
        if (!(theirs.orElse(null) instanceof ExactJson.Num number)) {
            return Optional.empty();
        }
        if (awaited != NONE && number.compareWith(awaited) == 0 && early.isEmpty()) {
            outcome(message).ifPresent(early::add);
        }
        return number.compareWith(id) == 0 ? outcome(message) : Optional.empty();
    }

    private static Optional<Answer> outcome(ExactJson message) {
        Optional<Answer> error = message.member("error").filter(value -> !(value instanceof ExactJson.Null)).map(Answer.ProtocolError::new);
        return error.isPresent() ? error : message.member("result").map(Answer.Result::new);
    }

    private static String brief(Answer answer) {
        if (answer instanceof Answer.ProtocolError refused) {
            return "error " + refused.error().brief(300);
        }
        return answer instanceof Answer.Missing missing ? missing.why() : ((Answer.Result) answer).value().brief(300);
    }

    @Override
    public void close() {
        lines.close();
    }
}
