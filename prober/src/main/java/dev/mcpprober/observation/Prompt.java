package dev.mcpprober.observation;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A question to a person, for whose answer our request would be taken. */
final class Prompt {
    /** Choices in the form that only prompts have; these count also where the process has ended. */
    private static final Pattern CHOICE = Pattern.compile(
            "(?imu)^.*(?:\\[y/n\\]|\\(y/n\\)|\\[yes/no\\]|\\(yes/no\\)|\\(yes/no/\\[fingerprint\\]\\)|[(\\[][jos]/n[)\\]]|[(\\[]д/н[)\\]]|press (?:any key|enter|return) to |^\\? .{0,200}\\(use (?:the )?arrow keys).*");
    /** What stands unfinished at the end and asks for something. */
    private static final Pattern OPEN = Pattern.compile("(?i)(?:^|\\n)([^\\n]*(?:\\?|:|>|›|»|\\]|？|：)[ \\t]*)$");
    private static final Pattern ASKS = Pattern.compile("(?i)\\b(?:enter|type|input|choose|select|which|accept|agree|continue|confirm|do you|would you|please|your)\\b|\\?"
            + "|\\b(?:password|passphrase|user ?name|login|e-?mail|api[ _-]?key|token)\\b[^:]{0,20}:[ \\t]*$");
    private static final int TAIL = 4_000;

    private Prompt() {}

    /**
     * The prompt, or empty.
     *
     * @param text  of one stream; what was not finished by a line feed stands at its end without one
     * @param ended the process ended, so that an unfinished line is no sign of waiting
     */
    static Optional<String> in(String text, boolean ended) {
        Matcher choice = CHOICE.matcher(text);
        if (choice.find()) {
            return Optional.of(Phrase.quote(choice.group().strip()));
        }
        Matcher open = OPEN.matcher(text.substring(Math.max(0, text.length() - TAIL)));
        if (!ended && open.find() && (ASKS.matcher(open.group(1)).find() || OtherTongues.asks(open.group(1)))) {
            return Optional.of(Phrase.quote(open.group(1).strip()));
        }
        return Optional.empty();
    }
}
