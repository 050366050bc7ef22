package dev.mcpprober.dataset.report;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sessions as HTML, event by event, those that prove a verdict marked. A server may say megabytes: what is left out is said. */
final class TranscriptView {
    private static final int FRAME = 2_000;
    /** Characters of HTML that a page spends on events that no verdict names, and on those that one does. */
    private static final int OTHERS = 400_000;
    private static final int WITNESSES = 400_000;

    private int others = OTHERS;
    private int witnesses = WITNESSES;
    private final Set<String> anchors = new TreeSet<>();

    /** Of an event in a page. */
    static String anchor(String session, int event) {
        return "e-" + session.replaceAll("[^A-Za-z0-9._-]", "-") + "-" + event;
    }

    /** True for an event that is in the page. */
    boolean has(String session, int event) {
        return anchors.contains(anchor(session, event));
    }

    String html(String session, Transcript transcript, Set<Integer> named) {
        StringBuilder out = new StringBuilder();
        int left = 0;
        for (Event event : transcript.events()) {
            boolean witness = named.contains(event.index());
            String text = text(event);
            boolean room = witness ? (witnesses -= text.length()) > 0 : (others -= text.length()) > 0;
            if (!room) {
                left++;
                continue;
            }
            left = gap(out, left);
            anchors.add(anchor(session, event.index()));
            out.append("<pre id=\"").append(anchor(session, event.index())).append('"').append(witness ? " class=\"hit\"" : "").append('>').append(text).append("</pre>\n");
        }
        gap(out, left);
        return "<details><summary>Session " + Html.text(session, 60) + ", " + Html.text(transcript.header().script(), 60) + ": " + transcript.events().size()
                + " events</summary>\n" + out + "</details>\n";
    }

    private static int gap(StringBuilder out, int left) {
        if (left > 0) {
            out.append("<p class=\"dim\">… ").append(left).append(left == 1 ? " event" : " events").append(" not shown, the page would be too long</p>\n");
        }
        return 0;
    }

    /** One event as HTML, cut. */
    static String text(Event event) {
        String time = String.format(Locale.ROOT, "%d  %.3f s  ", event.index(), event.nanos() / 1e9);
        if (event instanceof Event.Sent sent) {
            return time + "-&gt; " + bytes(sent.bytes());
        } else if (event instanceof Event.Received received) {
            return time + "&lt;- " + bytes(received.bytes()) + (received.truncated() ? " (of " + received.originalLength() + " bytes)" : "");
        } else if (event instanceof Event.Stderr stderr) {
            return time + "stderr " + bytes(stderr.bytes());
        } else if (event instanceof Event.Terminated ended) {
            return time + "ended: " + Html.text(ended.how()) + " " + ended.status();
        } else if (event instanceof Event.StepBegan step) {
            return time + "step " + Html.text(step.step(), 80) + " " + Html.text(step.about().toString(), 200);
        } else if (event instanceof Event.StepEnded step) {
            return time + "step " + Html.text(step.step(), 80) + " ended: " + Html.text(step.outcome().toString(), 60);
        } else if (event instanceof Event.Started started) {
            return time + "started " + Html.text(String.join(" ", started.argv()), FRAME);
        } else if (event instanceof Event.SignalSent signal) {
            return time + "signal sent: " + Html.text(signal.signal());
        } else if (event instanceof Event.StdinClosed) {
            return time + "stdin closed";
        } else if (event instanceof Event.StdoutClosed) {
            return time + "stdout closed";
        } else if (event instanceof Event.Totals totals) {
            return time + "in all " + totals.stdoutBytes() + " bytes on stdout, " + totals.stderrBytes() + " on stderr";
        }
        if (event instanceof Event.Redacted redacted) {
            return time + "taken out: " + redacted.counts().entrySet().stream().map(found -> Html.text(found.getKey(), 80) + " " + found.getValue()).collect(Collectors.joining(", "));
        }
        return time + Html.text(event.toString(), FRAME);
    }

    private static String bytes(byte[] bytes) {
        int end = bytes.length > 0 && bytes[bytes.length - 1] == '\n' ? bytes.length - 1 : bytes.length;
        int shown = Math.min(end, FRAME);
        return Html.text(new String(bytes, 0, shown, StandardCharsets.UTF_8)) + (shown < end ? " … (" + (end - shown) + " more bytes)" : "");
    }
}
