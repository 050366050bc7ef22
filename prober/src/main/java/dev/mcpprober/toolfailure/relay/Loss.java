package dev.mcpprober.toolfailure.relay;

/**
 * Something that a relay did not preserve.
 *
 * @param words what, for a reader; may quote the relay, raw
 */
public record Loss(Kind kind, String words) {
    /** Kinds of loss. */
    public enum Kind {
        NO_ANSWER("no-answer"),
        /** The result came as a JSON-RPC error, which models do not get to see. */
        PROTOCOL_ERROR("protocol-error"),
        /** isError is not what the server sent. */
        ERROR_FLAG("error-flag"),
        /** The result has no {@code _meta} any more. */
        META_DROPPED("meta-dropped"),
        KEY_DROPPED("key-dropped"),
        /** The object stands in another place, where no client looks for it. */
        KEY_MOVED("key-moved"),
        /** The relay made an object up. */
        KEY_INVENTED("key-invented"),
        MEMBER_DROPPED("member-dropped"),
        MEMBER_ADDED("member-added"),
        VALUE_CHANGED("value-changed"),
        /** The same number in other characters. */
        NUMBER_REWRITTEN("number-rewritten"),
        /** The server was called oftener than the client asked. */
        CALLED_AGAIN("called-again"),
        /** The relay answered without asking the server. */
        NOT_CALLED("not-called");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }
    }
}
