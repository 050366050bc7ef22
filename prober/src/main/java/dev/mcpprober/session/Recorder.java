package dev.mcpprober.session;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.TranscriptWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Numbers and times events and hands them to the transcript. */
final class Recorder {
    private final TranscriptWriter out;
    private final long origin;
    private int next;

    Recorder(TranscriptWriter out, long origin) {
        this.out = out;
        this.origin = origin;
    }

    private interface Make {
        Event at(int index, long nanos);
    }

    private void write(long nanoTime, Make make) throws IOException {
        out.write(make.at(next++, Math.max(0, nanoTime - origin)));
    }

    void started(List<String> argv) throws IOException {
        write(origin, (i, t) -> new Event.Started(i, t, argv));
    }

    void stepBegan(String step, String probe, Map<String, String> about) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.StepBegan(i, t, step, probe, about));
    }

    void stepEnded(String step, StepOutcome outcome, String detail) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.StepEnded(i, t, step, outcome, detail));
    }

    void sent(String step, byte[] bytes) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.Sent(i, t, step, bytes));
    }

    void sendFailed(long at, String reason) throws IOException {
        write(at, (i, t) -> new Event.SendFailed(i, t, reason));
    }

    void received(long at, byte[] line, boolean terminated, long originalLength) throws IOException {
        write(at, (i, t) -> new Event.Received(i, t, line, terminated, originalLength));
    }

    void stderr(long at, byte[] bytes, long dropped) throws IOException {
        write(at, (i, t) -> new Event.Stderr(i, t, bytes, dropped));
    }

    void stdoutCapped(long at, long kept) throws IOException {
        write(at, (i, t) -> new Event.StdoutCapped(i, t, kept));
    }

    void stdinClosed() throws IOException {
        write(System.nanoTime(), Event.StdinClosed::new);
    }

    void stdoutClosed(long at) throws IOException {
        write(at, Event.StdoutClosed::new);
    }

    void signalSent(String signal) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.SignalSent(i, t, signal));
    }

    void deadlineExtended(long byMillis, int waitedPercent, double perProcessor) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.DeadlineExtended(i, t, byMillis, waitedPercent, Math.round(perProcessor * 100) / 100.0));
    }

    void totals(long stdoutBytes, long stderrBytes, long linesDropped) throws IOException {
        write(System.nanoTime(), (i, t) -> new Event.Totals(i, t, stdoutBytes, stderrBytes, linesDropped));
    }

    void terminated(long at, String how, int status) throws IOException {
        write(at, (i, t) -> new Event.Terminated(i, t, how, status));
    }
}
