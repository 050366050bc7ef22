package dev.mcpprober.cli;

import java.util.ArrayList;
import java.util.List;

/** Splits a command as a POSIX shell splits words: quotes and backslashes, no expansion of any kind. */
public final class CommandLineWords {
    private CommandLineWords() {}

    public static List<String> split(String command) throws UserError {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote == '\'') {
                if (c == '\'') {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\\' && i + 1 < command.length() && (quote == 0 || "\"\\$`".indexOf(command.charAt(i + 1)) >= 0)) {
                word.append(command.charAt(++i));
                inWord = true;
            } else if (quote == '"') {
                if (c == '"') {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new UserError("--cmd: the quote " + quote + " is not closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw new UserError("--cmd: the command is empty");
        }
        return words;
    }
}
