package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names what stands on stdout and is no message: who wrote it, as far as its form tells, and when it came.
 *
 * @param flags of {@link Flag}, for writers and times
 * @param bytes of all of it that was kept
 */
record Noise(Set<String> flags, long bytes) {
    private static final Pattern COLOUR = Pattern.compile("\\u001b\\[[0-9;]*m");
    private static final Pattern DOTENV = Pattern.compile("^\\s*\\[dotenvx?(@[\\w.-]{1,20})?\\]");
    private static final Pattern PACKAGE_MANAGER = Pattern.compile("^\\s*(npm|pnpm|yarn) (notice|warn|info|err!|error|run)\\b|^\\s*(added|changed|removed|audited) \\d+ packages?\\b"
            + "|^\\s*up to date\\b|^> [@\\w./-]{1,100}@\\d[\\w.-]{0,30}( \\w+)?$|^\\s*found \\d+ vulnerabilit|^\\s*\\d+ packages are looking for funding|^\\s*run `npm "
            + "|^\\s*(Collecting|Downloading|Installing collected packages|Successfully installed|Requirement already satisfied|Using cached)\\b"
            + "|^\\s*(Resolved|Prepared|Installed|Audited) \\d+ packages? in ", Pattern.CASE_INSENSITIVE);
    private static final Pattern TRACEBACK = Pattern.compile("^\\s*Traceback \\(most recent call last\\)|^\\s+at \\S.{0,300}:\\d+(:\\d+)?\\)?\\s*$|^\\s+File \"[^\"]{1,300}\", line \\d+"
            + "|^\\s*(Uncaught |Unhandled )?[\\w.]{0,80}(Error|Exception)( \\[\\w+\\])?:|^\\s*Exception in thread");
    private static final String LEVEL = "(trace|debug|info|notice|warn|warning|error|fatal|critical|severe|verbose|success)";
    private static final Pattern LOGGER = Pattern.compile("^\\W{0,4}" + LEVEL + "\\W{0,3}[\\]:|>)]\\s?.*|^\\W{0,3}\\d{2,4}[-/.:]\\d\\d[-/.:]\\d\\d.{0,60}\\b" + LEVEL + "\\b.*"
            + "|^\\W{0,3}\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d.*|^\\[[^\\]]{1,60}\\]\\s*\\[?" + LEVEL + "\\b.*|^" + LEVEL + "\\s{2,}\\S.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    /** Members that structured loggers write. */
    private static final Pattern JSON_LOG = Pattern.compile("\"(level|severity|lvl|levelname)\"\\s*:");
    private static final int LOOKED_AT = 400;

    static Noise of(List<SessionLog> logs) {
        Set<String> flags = new LinkedHashSet<>();
        long bytes = 0;
        for (SessionLog log : logs) {
            for (StdoutReader.Said said : log.stdout().said()) {
                boolean begun = !said.terminated() && (said.text().startsWith("{") || said.text().startsWith("["));
                if (!said.blank() && !(begun && !said.json())) {
                    flags.add(writer(said));
                    flags.add(time(log, said.event()));
                    bytes += said.text().length();
                }
            }
        }
        return new Noise(flags, bytes);
    }

    private static String writer(StdoutReader.Said said) {
        String text = COLOUR.matcher(said.text().substring(0, Math.min(said.text().length(), LOOKED_AT))).replaceAll("");
        if (said.json()) {
            return JSON_LOG.matcher(text).find() ? Flag.BY_LOGGER : Flag.BY_PRINT;
        }
        return DOTENV.matcher(text).find() ? Flag.BY_DOTENV
                : PACKAGE_MANAGER.matcher(text).find() ? Flag.BY_PACKAGE_MANAGER
                : TRACEBACK.matcher(text).find() ? Flag.BY_TRACEBACK
                : LOGGER.matcher(text).matches() ? Flag.BY_LOGGER : Flag.BY_PRINT;
    }

    private static String time(SessionLog log, int event) {
        Exchange opening = log.handshake().exchange();
        if (opening == null || !opening.reacted() || event < opening.reactedAt()) {
            return Flag.BEFORE_HANDSHAKE;
        }
        boolean waiting = log.exchanges().stream().anyMatch(x -> x.sentAt() < event && (!x.reacted() ? log.steps().stream().anyMatch(step ->
                step.contains(x.sentAt()) && step.contains(event)) : event < x.reactedAt()));
        return waiting ? Flag.IN_CALL : Flag.BETWEEN_REQUESTS;
    }

    /** For the detail: {@code 210 bytes, before the handshake, by a logger}. */
    String words() {
        List<String> out = new ArrayList<>(List.of(bytes + " bytes"));
        word(out, Flag.BEFORE_HANDSHAKE, "before the handshake");
        word(out, Flag.IN_CALL, "while a request was served");
        word(out, Flag.BETWEEN_REQUESTS, "between requests");
        word(out, Flag.BY_DOTENV, "by dotenv");
        word(out, Flag.BY_PACKAGE_MANAGER, "by a package manager");
        word(out, Flag.BY_LOGGER, "by a logger");
        word(out, Flag.BY_TRACEBACK, "by an error's trace");
        word(out, Flag.BY_PRINT, "by print or console.log");
        return String.join(", ", out);
    }

    private void word(List<String> out, String flag, String words) {
        if (flags.contains(flag)) {
            out.add(words);
        }
    }
}
