package dev.mcpprober.census;

import dev.mcpprober.corpus.Eligibility;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.WorkKey;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Installs and sessions without an engine. What a target does is in its name: {@code no-install-*} cannot be installed,
 * {@code no-start-*} has one session and does not start, all others have three, of which the third depends on the second.
 */
final class FakeWorld implements TargetInstaller, TargetSessions {
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);

    /** What happens instead of an attempt; null for nothing unusual. Keyed by {@code target/session}, taken one by one. */
    final Map<String, List<Happening>> happenings = new ConcurrentHashMap<>();
    final List<String> installs = new CopyOnWriteArrayList<>();
    final List<String> runs = new CopyOnWriteArrayList<>();
    /** Targets whose installation is in somebody's hands, and those that were given back for good. */
    final List<String> held = new CopyOnWriteArrayList<>();
    final List<String> finished = new CopyOnWriteArrayList<>();
    /** The most that were held at a time. */
    final AtomicInteger mostHeld = new AtomicInteger();
    boolean imagesLost;
    /** That each session takes, in milliseconds. */
    int takes;

    /** Thrown where a real program would be dead: nothing of ours runs after it. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    interface Happening {
        void happen(Path transcript) throws EngineException, IOException, InterruptedException;
    }

    static Happening fault(Fault fault) {
        return transcript -> {
            throw new EngineException(fault);
        };
    }

    void on(String target, String session, Happening... what) {
        happenings.put(target + "/" + session, new CopyOnWriteArrayList<>(List.of(what)));
    }

    void always(String target, String session, Happening what) {
        happenings.put(target + "/" + session, new ArrayList<>() {
            private static final long serialVersionUID = 1L;

            @Override public boolean isEmpty() { return false; }

            @Override public Happening remove(int index) { return what; }
        });
    }

    private void perhaps(String target, String session, Path transcript) throws EngineException, IOException, InterruptedException {
        List<Happening> due = happenings.getOrDefault(target + "/" + session, List.of());
        if (!due.isEmpty()) {
            due.remove(0).happen(transcript);
        }
    }

    @Override
    public Installation install(FrameEntry entry) throws EngineException, IOException, InterruptedException {
        installs.add(entry.id());
        perhaps(entry.label(), "install", null);
        boolean usable = !entry.label().contains("no-install");
        String outcome = usable ? "installed" : "not-found";
        if (usable) {
            hold(entry);
        }
        return new Installation(outcome, usable, entry.label(), "digest-of-" + entry.label(), usable ? "image" : "", List.of("node"), "/srv",
                ("{\"outcome\":\"" + outcome + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<Installation> restore(FrameEntry entry, byte[] document) {
        if (imagesLost) {
            return Optional.empty();
        }
        hold(entry);
        return Optional.of(new Installation("installed", true, entry.label(), "digest-of-" + entry.label(),
                "image", List.of("node"), "/srv", document));
    }

    private void hold(FrameEntry entry) {
        held.add(entry.label());
        mostHeld.accumulateAndGet(held.size(), Math::max);
    }

    @Override
    public void release(Installation installation, boolean over) {
        if (installation.usable()) {
            if (!held.remove(installation.target())) {
                throw new IllegalStateException("given back twice: " + installation.target());
            }
            if (over) {
                finished.add(installation.target());
            }
        }
    }

    @Override
    public Sequence begin(FrameEntry entry, Installation installation) {
        return new FakeSequence(entry);
    }

    private final class FakeSequence implements Sequence {
        private final FrameEntry entry;
        private final List<String> accepted = new ArrayList<>();

        FakeSequence(FrameEntry entry) {
            this.entry = entry;
        }

        @Override
        public Optional<Due> next() {
            int n = accepted.size();
            int planned = entry.label().contains("no-start") ? 1 : 3;
            if (n >= planned) {
                return Optional.empty();
            }
            String name = n == 2 ? "after-" + accepted.get(1).length() : "session-" + (n + 1);
            WorkKey key = WorkKey.of(entry.id(), name, Era.LEGACY, "policy", "image", 0);
            return Optional.of(new Due(key, name, "script@1"));
        }

        @Override
        public void run(Due due, Attempt attempt) throws EngineException, IOException, InterruptedException {
            runs.add(entry.label() + "/" + due.name());
            if (Files.exists(attempt.transcript())) {
                throw new IllegalStateException("would overwrite " + attempt.transcript());
            }
            perhaps(entry.label(), due.name(), attempt.transcript());
            Thread.sleep(takes);
            write(attempt.transcript(), content(entry.label(), due.name()));
        }

        @Override
        public void accept(Path transcript) throws IOException {
            String text = Files.readString(transcript);
            if (text.startsWith("unreadable")) {
                throw new IOException("transcript " + transcript + ", line 1: not a transcript");
            }
            accepted.add(text);
        }

        @Override
        public boolean started() {
            return !entry.label().contains("no-start");
        }

        @Override
        public String summary() {
            return accepted.size() + " sessions";
        }

        @Override
        public void close() {}
    }

    static String content(String label, String session) {
        return "transcript of " + label + " " + session;
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    static Frame frame(Path folder, String... rows) throws IOException {
        return FrameReader.read(Files.writeString(folder.resolve("frame.csv"), "target,args,env,note\n" + String.join("\n", rows) + "\n"));
    }

    static RunInfo info(Frame frame) {
        return new RunInfo(RunInfo.FORMAT_VERSION, "2026-11-30T12:00:00Z", "0.1.0", "/frame.csv", frame.hash(), frame.rows().size(), 1, "full",
                Map.of("policy", "p"), Map.of("node", "sha256:1"), Map.of("engine", "fake"));
    }

    static OpenRun open(Path folder, Frame frame) throws IOException {
        return OpenRun.open(folder, info(frame), frame, CLOCK, NoSync::new);
    }

    /** Like the real one without the wait for the disk. */
    static class NoSync implements Ledger.Sink {
        private final RandomAccessFile file;

        NoSync(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rw");
        }

        @Override
        public void append(byte[] bytes) throws IOException {
            file.seek(file.length());
            file.write(bytes);
        }

        @Override
        public void truncate(long length) throws IOException {
            if (file.length() > length) {
                file.setLength(length);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Dies, or fills the disk, after a number of bytes: in the middle of a line if need be. */
    static final class Budget extends NoSync {
        private final boolean kill;
        private long left;
        private boolean dead;

        Budget(Path path, long bytes, boolean kill) throws IOException {
            super(path);
            this.left = bytes;
            this.kill = kill;
        }

        @Override
        public void append(byte[] bytes) throws IOException {
            if (dead) {
                throw new Killed();
            }
            if (bytes.length > left) {
                super.append(java.util.Arrays.copyOf(bytes, (int) left));
                if (kill) {
                    dead = true;
                    throw new Killed();
                }
                throw new IOException("No space left on device");
            }
            left -= bytes.length;
            super.append(bytes);
        }
    }

    static List<String> ids(Frame frame) {
        List<String> ids = new ArrayList<>();
        for (Eligibility row : frame.rows()) {
            ids.add(row instanceof Eligibility.Eligible eligible ? eligible.entry().id() : ((Eligibility.Excluded) row).id());
        }
        return ids;
    }
}
