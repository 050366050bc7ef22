package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.ReleaseTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a person is asked about a decision of a kind, and the words to answer with.
 *
 * @param text    in plain words
 * @param answers word to what it means, in the order of their keys
 */
public record Question(String text, Map<String, String> answers) {
    public static final String CANNOT_TELL = "cannot-tell";
    private static final Map<String, Question> ALL = all();

    private static Map<String, Question> all() {
        Map<String, Question> out = new LinkedHashMap<>();
        out.put(Decision.VERDICT, new Question("What would be the right verdict on what this server did, by this demand?", words("verdict")));
        Map<String, String> consequences = words("consequence");
        consequences.put("refused", "The arguments were not accepted: the call was refused.");
        out.put(Decision.CONSEQUENCE, new Question("The call had bad arguments. What came of it?", consequences));
        Map<String, String> failures = words("startup-failure");
        words("install-outcome").forEach((word, meaning) -> {
            if (!word.equals("installed")) {
                failures.put("install-" + word, meaning);
            }
        });
        failures.put("started", "A session came about.");
        out.put(Decision.STARTUP_FAILURE, new Question("Why did no session come about?", failures));
        out.put(Decision.SDK_FAMILY, new Question("What is this server built on?", words("sdk-family")));
        Map<String, String> shapes = words("failure-shape");
        shapes.remove(CANNOT_TELL);
        out.put(Decision.FAILURE_SHAPE, new Question("What kind of failure does the answer report, by its words?", shapes));
        out.values().forEach(question -> question.answers().put(CANNOT_TELL, "What is shown does not decide it."));
        return out;
    }

    private static Map<String, String> words(String list) {
        return new LinkedHashMap<>(ReleaseTables.meanings(list));
    }

    public static Question of(String kind) {
        return ALL.get(kind);
    }

    /** Every word of every kind, for closed lists. */
    public static List<String> allAnswers() {
        List<String> out = new ArrayList<>();
        ALL.values().forEach(question -> question.answers().keySet().stream().filter(word -> !out.contains(word)).forEach(out::add));
        return out;
    }
}
