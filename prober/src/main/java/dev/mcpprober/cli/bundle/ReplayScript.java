package dev.mcpprober.cli.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A {@link Replay} as a shell script that needs nothing of this program, and the long lines that go beside it. */
final class ReplayScript {
    /** A line longer than this is a file of its own. */
    private static final int INLINE = 32 << 10;
    private static final String DRIVER = resource();

    private final StringBuilder text = new StringBuilder();
    private final List<byte[]> files = new ArrayList<>();

    private ReplayScript() {}

    /** @param files named {@code line-1}, {@code line-2} … in the folder of the script */
    record Written(String script, List<byte[]> files) {}

    /**
     * @param comments what the script shows, one printable line each
     * @param server   shell text of the functions {@code server} and {@code stop_container}
     */
    static Written write(List<String> comments, String server, Replay replay) {
        ReplayScript out = new ReplayScript();
        out.text.append("#!/bin/sh\n");
        comments.forEach(line -> out.text.append(("# " + Shell.comment(line)).stripTrailing()).append('\n'));
        out.text.append("#\n").append(DRIVER).append('\n').append(server).append("\nstart\n");
        replay.during().forEach(out::step);
        replay.after().forEach(out::step);
        out.text.append("echo 'the finding shows'\nfinish 0\n");
        return new Written(out.text.toString(), out.files);
    }

    private void step(Replay.Step step) {
        if (step instanceof Replay.Send send) {
            call("send", Shell.bytes(send.bytes(), send.bytes().length));
        } else if (step instanceof Replay.Answer answer) {
            text.append("if await ").append(Shell.quote(answer.request())).append(" 2; then send ")
                    .append(Shell.bytes(answer.bytes(), answer.bytes().length)).append("; fi\n");
        } else if (step instanceof Replay.Await await) {
            call("await", Shell.quote(await.pattern()), Long.toString(await.seconds()));
        } else if (step instanceof Replay.Pause pause) {
            call("sleep", Long.toString(pause.seconds()));
        } else if (step instanceof Replay.CloseStdin) {
            call("close_stdin");
        } else if (step instanceof Replay.Terminate) {
            call("terminate");
        } else if (step instanceof Replay.NoAnswer none) {
            call("no_answer", Shell.quote(none.pattern()), Long.toString(none.seconds()));
        } else if (step instanceof Replay.Ended ended) {
            call("ended", Integer.toString(ended.status()), Long.toString(ended.seconds()));
        } else if (step instanceof Replay.Closed closed) {
            call("closed", Long.toString(closed.seconds()));
        } else if (step instanceof Replay.StillRuns runs) {
            call("still_runs", Long.toString(runs.seconds()), Shell.quote(runs.after()));
        } else if (step instanceof Replay.Line line) {
            want(line);
            call("line", Integer.toString(line.times()), Long.toString(line.seconds()), Shell.quote(line.id()), Shell.quote(line.code()),
                    Shell.quote(line.yes()), Shell.quote(line.no()), Integer.toString(Math.max(1, line.length())));
        }
    }

    private void want(Replay.Line line) {
        if (line.recorded().length <= INLINE) {
            call("want", Shell.bytes(line.recorded(), line.recorded().length));
        } else {
            files.add(line.recorded());
            call("cp", "\"$here/line-" + files.size() + "\"", "\"$work/wanted\"");
        }
    }

    private void call(String... words) {
        text.append(String.join(" ", words)).append('\n');
    }

    private static String resource() {
        try (InputStream in = ReplayScript.class.getResourceAsStream("replay.sh")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("replay.sh", e);
        }
    }
}
