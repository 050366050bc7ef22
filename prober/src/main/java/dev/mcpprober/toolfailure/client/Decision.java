package dev.mcpprober.toolfailure.client;

import java.util.List;

/**
 * What the client makes of one answer.
 *
 * @param statement check id of the statement that applied; empty where the proposal has none on the point
 * @param notBefore for {@link Action#RETRY}: the call is not sent again before this, in milliseconds since 1970; else 0
 * @param notes     what in the object goes against the proposal, each as {@code CHECK-ID: what}; may quote the server, raw
 */
public record Decision(Action action, Ground ground, String statement, long notBefore, List<String> notes) {
    public Decision {
        notes = List.copyOf(notes);
    }

    /** What is done. */
    public enum Action {
        /** The result is handed on as a success. */
        ACCEPT("hands the result on"),
        /** The error is handed on as clients do today, by isError and content. */
        REPORT("reports the error as it is"),
        /** Stop; the model or the user looks for a different approach. */
        CHANGE_APPROACH("stops; the model or the user has to try another way"),
        /** Stop; a person has to act outside of this call. */
        ASK_PERSON("stops; a person has to act before the call can succeed"),
        /** A passing condition that may not be retried automatically. */
        TRY_LATER("stops; the user may decide to try again"),
        /** The same call is sent again under a new request id. */
        RETRY("sends the call again under a new request id");

        private final String words;

        Action(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}
