package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.FailureClass;
import dev.mcpprober.toolfailure.client.Ground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * One call of a reference server in a fresh process, and what has to come of it. The form is described in
 * {@code corpus/fixtures/tool-failure-scenarios.json}.
 *
 * @param cause   why the call fails, for a reader
 * @param failure what the first answer classifies; empty where it must not classify anything
 * @param grounds of what the client does, one for each of its calls
 */
public record Scenario(String id, String cause, String tool, ExactJson.Obj arguments, Client client, Optional<Expected> failure, List<Ground> grounds, End end) {
    public Scenario {
        grounds = List.copyOf(grounds);
    }

    /** What the client knows and trusts. */
    public enum Client { TRUSTING, UNTRUSTING, UNAWARE }

    /** How the last call ends. */
    public enum End { SUCCESS, FAILURE, PROTOCOL_ERROR }

    /** When a retry is likely to succeed, by {@code retryNotBefore}: not said, within a second, after hours. */
    public enum When { NONE, SOON, LATER }

    /** @param retryable empty where the member must be absent */
    public record Expected(FailureClass failureClass, String code, Optional<Boolean> retryable, When retryNotBefore) {}

    /** @throws IOException also where the file is not of the form described in it; the message names the scenario */
    public static List<Scenario> read(Path file) throws IOException {
        ExactJson list = ExactJson.parse(Files.readString(file)).flatMap(whole -> whole.member("scenarios")).orElse(new ExactJson.Null());
        if (!(list instanceof ExactJson.Arr array)) {
            throw new IOException(file + " holds no list of scenarios");
        }
        int number = 0;
        try {
            List<Scenario> out = new java.util.ArrayList<>();
            for (ExactJson item : array.items()) {
                number++;
                out.add(of(item));
            }
            return out;
        } catch (IllegalArgumentException | NoSuchElementException | ClassCastException e) {
            throw new IOException(file + ": scenario " + number + " is not of the form described there: " + e.getMessage(), e);
        }
    }

    private static Scenario of(ExactJson json) {
        ExactJson failure = json.member("failure").orElseThrow();
        return new Scenario(text(json, "id"), text(json, "cause"), text(json, "tool"), (ExactJson.Obj) json.member("arguments").orElseThrow(),
                Client.valueOf(name(json, "client")), failure instanceof ExactJson.Null ? Optional.empty() : Optional.of(expected(failure)),
                ((ExactJson.Arr) json.member("grounds").orElseThrow()).items().stream().map(each -> Ground.valueOf(each.asText().orElseThrow())).toList(),
                End.valueOf(name(json, "end")));
    }

    private static Expected expected(ExactJson json) {
        Optional<Boolean> retryable = json.member("retryable").orElseThrow() instanceof ExactJson.Bool bool ? Optional.of(bool.value()) : Optional.empty();
        return new Expected(FailureClass.of(text(json, "class")).orElseThrow(), text(json, "code"), retryable, When.valueOf(name(json, "retryNotBefore")));
    }

    private static String text(ExactJson json, String member) {
        return json.member(member).flatMap(ExactJson::asText).orElseThrow(() -> new NoSuchElementException("no text " + member));
    }

    private static String name(ExactJson json, String member) {
        return text(json, member).toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
