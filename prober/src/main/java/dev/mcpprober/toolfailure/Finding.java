package dev.mcpprober.toolfailure;

/**
 * What one object shows of one statement.
 *
 * @param kind  of breach, or what is worth a note although nothing is broken; null where there is neither
 * @param words what was seen, raw; for {@link State#UNDECIDED} why nothing can be said
 */
public record Finding(Statement statement, State state, Kind kind, String words) {
    /** How the statement stands. */
    public enum State {
        /** The member is there and in order. */
        PRESENT,
        /** An optional member is not there. */
        ABSENT,
        VIOLATES,
        /** Another fault leaves nothing to judge. */
        UNDECIDED
    }

    /** Kinds of breach and of notes. */
    public enum Kind {
        /** The value of the key is no object. */
        NO_OBJECT("no-object"),
        /** A required member is not there. */
        MISSING("missing"),
        /** A member has another JSON type than declared. */
        TYPE("type"),
        /** A class outside the closed set. */
        UNKNOWN_VALUE("unknown-value"),
        /** A note: a code outside the baseline, which servers may define. */
        OWN_CODE("own-code"),
        /** A baseline code in another spelling. */
        RESPELLED("respelled"),
        /** Not for this class. */
        WRONG_CLASS("wrong-class"),
        /** A time without {@code retryable: true}. */
        UNPAIRED("unpaired"),
        /** Too small for milliseconds: seconds, or a span. */
        TOO_SMALL("too-small"),
        FAR_FUTURE("far-future"),
        EMPTY("empty"),
        /** The id says an argument of the call, who the client is, or what the server was started with. */
        ARGUMENT("argument"),
        CLIENT_INFO("client-info"),
        ENVIRONMENT("environment"),
        /** A note: the id is, or holds, the plain hash of such a text. */
        HASHED("hashed");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }
    }
}
