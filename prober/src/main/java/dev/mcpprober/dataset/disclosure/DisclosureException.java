package dev.mcpprober.dataset.disclosure;

/** Why servers cannot be published as asked; the message names file, line or option and what to do, and never a server that is withheld. */
public final class DisclosureException extends Exception {
    private static final long serialVersionUID = 1L;

    DisclosureException(String message) {
        super(message);
    }
}
