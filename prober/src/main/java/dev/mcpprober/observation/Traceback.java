package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An uncaught exception as runtimes print it: the form of the trace counts, not a word in it.
 *
 * @param type    exception type, with its code where it has one
 * @param message first line of the message
 * @param text    the header line as it stands
 */
record Traceback(String type, String message, String text) {
    private static final Pattern PYTHON_HEAD = Pattern.compile("^[\\s|+]*(?:Exception Group )?Traceback \\(most recent call last\\):");
    private static final Pattern PYTHON_LAST = Pattern.compile("^[\\s|+-]*((?:[A-Za-z_]\\w*\\.)*[A-Za-z_]\\w*)(?:: (.*))?$");
    private static final Pattern NODE_FRAME = Pattern.compile("^\\s+at (?:.+ \\()?(?:file:|node:|/|[A-Za-z]:|[\\w.@-]+).*:\\d+(?::\\d+)?\\)?$");
    private static final Pattern NODE_HEAD = Pattern.compile("^(?:Uncaught )?((?:[A-Za-z_$][\\w$]*\\.)*[A-Za-z_$][\\w$]*)(?: \\[([A-Z0-9_]+)\\])?: (.*)$");
    private static final Pattern NODE_BARE = Pattern.compile("^(?:Uncaught )?([A-Za-z_$][\\w$]*(?:Error|Exception))(?: \\[([A-Z0-9_]+)\\])?()$");
    private static final Pattern OTHER = Pattern.compile("^(?:(panic): (.*)|thread '[^']*' (?:\\(\\d+\\) )?(panicked) at (.*)"
            + "|Exception in thread \"[^\"]*\" ([\\w.$]+)(?:: (.*))?|Unhandled exception\\. ([\\w.]+)(?:: (.*))?)$");
    private static final int MESSAGE_LINES = 40;
    /** Faults of the program, its installation or the network, whatever else it printed about missing settings before. */
    private static final Pattern OTHER_CAUSE = Pattern.compile("(?:.*\\.)?(?:ModuleNotFoundError|ImportError|SyntaxError|IndentationError|NameError|AttributeError|TypeError"
            + "|ReferenceError|UnboundLocalError|RecursionError|AssertionError|NotImplementedError|gaierror|\\w*Connect(?:ion)?\\w*|\\w*Timeout\\w*|URLError|SSL\\w*)"
            + "|.*\\[ERR_MODULE_NOT_FOUND\\]|panic(?:ked)?");
    private static final Pattern OTHER_MESSAGE = Pattern.compile("Cannot find (?:module|package)\\b.*|.*\\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EADDRINUSE"
            + "|fetch failed|getaddrinfo|Name or service not known|Temporary failure in name resolution)\\b.*");

    /** The last uncaught exception in the text, or empty. */
    static Optional<Traceback> in(String text) {
        List<String> lines = List.of(text.split("\\r?\\n"));
        Traceback last = null;
        for (int i = 0; i < lines.size(); i++) {
            Traceback found = null;
            if (PYTHON_HEAD.matcher(lines.get(i)).find()) {
                found = python(lines, i + 1);
            } else if (NODE_FRAME.matcher(lines.get(i)).matches() && (i == 0 || !NODE_FRAME.matcher(lines.get(i - 1)).matches())) {
                found = node(lines, i);
            } else {
                found = other(lines.get(i), i + 1 < lines.size() ? lines.get(i + 1) : "");
            }
            last = found == null ? last : found;
        }
        return Optional.ofNullable(last);
    }

    /** Type or message say that the cause is another than a missing setting. */
    boolean otherCause() {
        return OTHER_CAUSE.matcher(type).matches() || OTHER_MESSAGE.matcher(message).matches();
    }

    /** Frames are indented, the exception is not; in a group everything stands behind a margin. */
    private static Traceback python(List<String> lines, int from) {
        for (int i = from; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("^\\s*[|+] ?", "");
            boolean grouped = !line.equals(lines.get(i));
            if (line.isBlank() || line.startsWith(" ") || line.startsWith("\t") || grouped && line.startsWith("-")) {
                continue;
            }
            Matcher matcher = PYTHON_LAST.matcher(line);
            return matcher.matches() ? new Traceback(matcher.group(1), matcher.group(2) == null ? "" : Phrase.quote(matcher.group(2)), line) : null;
        }
        return null;
    }

    private static Traceback node(List<String> lines, int frame) {
        List<String> above = new ArrayList<>();
        for (int i = frame - 1; i >= 0 && i >= frame - MESSAGE_LINES; i--) {
            above.add(lines.get(i));
        }
        for (String line : above) {
            Matcher matcher = NODE_HEAD.matcher(line);
            Matcher bare = NODE_BARE.matcher(line);
            Matcher hit = matcher.matches() ? matcher : bare.matches() ? bare : null;
            if (hit != null && (hit.group(1).endsWith("Error") || hit.group(1).endsWith("Exception"))) {
                return of(hit, line);
            }
        }
        // A class of the program's own that is not called an error: only where it stands right above the frames.
        Matcher own = above.isEmpty() ? null : NODE_HEAD.matcher(above.get(0));
        return own != null && own.matches() && Character.isUpperCase(own.group(1).charAt(0)) ? of(own, above.get(0)) : null;
    }

    private static Traceback of(Matcher head, String line) {
        return new Traceback(head.group(1) + (head.group(2) == null ? "" : " [" + head.group(2) + "]"), Phrase.quote(head.group(3)), line);
    }

    /** @param next the line after it, where Rust says why it panicked */
    private static Traceback other(String line, String next) {
        Matcher matcher = OTHER.matcher(line);
        if (!matcher.matches()) {
            return null;
        }
        if (matcher.group(3) != null && matcher.group(4).endsWith(":") && !next.isBlank()) {
            return new Traceback(matcher.group(3), Phrase.quote(next.strip()), next);
        }
        for (int group = 1; group < matcher.groupCount(); group += 2) {
            if (matcher.group(group) != null) {
                return new Traceback(matcher.group(group), matcher.group(group + 1) == null ? "" : Phrase.quote(matcher.group(group + 1)), line);
            }
        }
        return null;
    }
}
