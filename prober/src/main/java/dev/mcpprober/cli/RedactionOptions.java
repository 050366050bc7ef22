package dev.mcpprober.cli;

import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.redaction.RuleFile;
import dev.mcpprober.redaction.RuleFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Option of every command that keeps or publishes what servers wrote. */
public final class RedactionOptions {
    @Option(names = "--redact-rules", paramLabel = "FILE", description = "More credential rules in gitleaks' format (its gitleaks.toml, or one of yours), besides those of this program.")
    Path file;

    private CredentialRules own;

    /** Label of the rules that the user adds; empty for none. */
    public Optional<String> added() throws UserError, IOException {
        return file == null ? Optional.empty() : Optional.of(own().labels().get(0));
    }

    public Redactor redactor() throws UserError, IOException {
        return Redactor.of(file == null ? CredentialRules.bundled() : CredentialRules.bundled().and(own()));
    }

    /** @throws UserError when a run was made with other rules than those named here */
    void require(Optional<String> ofTheRun) throws UserError, IOException {
        if (!added().equals(ofTheRun)) {
            throw new UserError("--redact-rules: the run was made with " + ofTheRun.orElse("none of the user's own") + ", named here: " + added().orElse("none")
                    + "; name the same file, so that every transcript of the run is redacted alike");
        }
    }

    private CredentialRules own() throws UserError, IOException {
        if (own == null) {
            try {
                own = RuleFile.read(file);
            } catch (RuleFileException e) {
                throw new UserError("--redact-rules: " + e.getMessage());
            }
        }
        return own;
    }
}
