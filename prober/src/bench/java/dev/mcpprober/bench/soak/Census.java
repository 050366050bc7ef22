package dev.mcpprober.bench.soak;

import dev.mcpprober.run.RunFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A census as a process, started again by whoever looks after it until all is measured, as a service manager would do it. */
final class Census {
    private static final int DONE = 0;
    private static final int UNMEASURED = 1;
    private static final int NO_ENGINE = 3;
    private static final int RESUMABLE = 4;
    private static final int KILLED = 137;
    private static final int MAX_STARTS = 200;
    private static final int MAX_RETRIES = 8;
    private static final String FINISHED = "{\"event\":\"finished\"";

    private final Path home;
    private final Path jar;
    private final Path frame;
    private final Path folder;
    private final Path cache;
    private final OwnEngine engine;
    private final List<String> options;
    private final Consumer<String> say;
    private Process process;
    private volatile boolean ended;
    private int starts;
    private int retries;
    private int stops;

    /**
     * @param cache   where it keeps records of installs; a run of its own makes its own installs
     * @param options of {@code census run}
     */
    Census(Path home, Path jar, Path frame, Path folder, Path cache, OwnEngine engine, List<String> options, Consumer<String> say) {
        this.home = home;
        this.jar = jar;
        this.frame = frame;
        this.folder = folder;
        this.cache = cache;
        this.engine = engine;
        this.options = options;
        this.say = say;
    }

    /** Programs started, {@code census retry} included. */
    int starts() {
        return starts;
    }

    /** Of them {@code census retry}. */
    int retries() {
        return retries;
    }

    /** Times that the census stopped by itself with work left. */
    int stops() {
        return stops;
    }

    /** Runs it until nothing is unmeasured. @throws IOException when it will not come to that */
    void toTheEnd() throws IOException, InterruptedException {
        boolean retry = false;
        while (true) {
            if (starts >= MAX_STARTS || retries > MAX_RETRIES || ended) {
                throw new IOException(folder + ": not done after " + starts + " starts and " + retries + " retries");
            }
            int status = run(retry);
            if (status == DONE) {
                return;
            }
            if (status != UNMEASURED && status != NO_ENGINE && status != RESUMABLE && status != KILLED) {
                throw new IOException(folder + ": exit status " + status + "\n" + lastWords());
            }
            stops += status == RESUMABLE ? 1 : 0;
            retry = status == UNMEASURED || retry && status != RESUMABLE && status != KILLED;
            retries += status == UNMEASURED ? 1 : 0;
            Thread.sleep(status == KILLED ? 0 : 1000);
        }
    }

    private String lastWords() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolveSibling(folder.getFileName() + ".log"), StandardCharsets.UTF_8);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    private int run(boolean retry) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(retry ? List.of("census", "retry", folder.toString())
                : List.of("census", "run", frame.toString(), "--to", folder.toString()));
        if (!retry) {
            arguments.addAll(options);
        }
        Process started = start(arguments);
        synchronized (this) {
            starts++;
            process = started;
        }
        int status = started.waitFor();
        say.accept("census " + (retry ? "retry" : "run") + " ended with status " + status + " at " + measured() + " targets");
        return status;
    }

    private Process start(List<String> arguments) throws IOException {
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        ProcessBuilder builder = new ProcessBuilder(engine.beside(java(arguments))).redirectInput(new File("/dev/null"))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(engine.environment());
        builder.environment().put("PROBER_CACHE", cache.toString());
        return builder.start();
    }

    /** As prober/bin/prober starts it. */
    private List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx240m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Dprober.home=" + home, "-Dfile.encoding=UTF-8", "-jar", jar.toString()));
        command.addAll(arguments);
        return command;
    }

    /** Exit status and output of another command on the run folder. */
    Map.Entry<Integer, String> command(String... arguments) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(java(List.of(arguments))).redirectInput(new File("/dev/null")).redirectErrorStream(true).start();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Map.entry(asked.waitFor(), said);
    }

    /** SIGKILL; false when it is not running just now. */
    synchronized boolean kill() {
        if (process == null || !process.isAlive() || ended) {
            return false;
        }
        process.destroyForcibly();
        return true;
    }

    /** It is not started again. */
    synchronized void giveUp() {
        ended = true;
        if (process != null) {
            process.destroy();
        }
    }

    /** Ends it so that it can tidy up. */
    void end() throws InterruptedException {
        Process running;
        synchronized (this) {
            ended = true;
            running = process;
        }
        if (running != null && running.isAlive()) {
            running.destroy();
            if (!running.waitFor(30, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        }
    }

    /** Targets that the ledger has as measured. */
    int measured() throws IOException {
        Path ledger = new RunFolder(folder).ledger();
        if (!Files.exists(ledger)) {
            return 0;
        }
        int count = 0;
        for (String line : Files.readAllLines(ledger, StandardCharsets.ISO_8859_1)) {
            count += line.startsWith(FINISHED) ? 1 : 0;
        }
        return count;
    }
}
