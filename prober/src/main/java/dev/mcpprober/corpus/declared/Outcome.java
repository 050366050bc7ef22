package dev.mcpprober.corpus.declared;

import dev.mcpprober.model.PackageUrl;
import java.util.List;
import java.util.Map;

/** Whether a declared server can be a target. */
public sealed interface Outcome {
    /** It names a package of npm or PyPI that speaks stdio and needs nothing that only its user has. */
    record Kept(PackageUrl url, List<String> args, Map<String, String> env) implements Outcome {
        public Kept {
            args = List.copyOf(args);
            env = Map.copyOf(env);
        }
    }

    /**
     * It is left out.
     *
     * @param detail for a person; raw text of the source may be in it
     */
    record Dropped(Reason reason, String detail) implements Outcome {}

    /** Why a declared server is left out, in the order of the funnel. */
    enum Reason {
        NOT_ACTIVE("not-active", "no version of it is active"),
        NO_PACKAGE("no-package", "it is declared with remote endpoints alone, or with nothing to run"),
        OTHER_REGISTRY("other-registry", "its packages are neither on npm nor on PyPI"),
        NOT_STDIO("not-stdio", "its packages do not speak stdio"),
        BAD_IDENTIFIER("bad-identifier", "its package cannot be named: identifier or version is none of that registry"),
        NEEDS_SECRET("needs-secret", "it requires a secret"),
        NEEDS_VARIABLE("needs-variable", "it requires an environment variable without a default"),
        NEEDS_ARGUMENT("needs-argument", "it requires an argument without a default");

        private final String id;
        private final String meaning;

        Reason(String id, String meaning) {
            this.id = id;
            this.meaning = meaning;
        }

        /** As written in tables. */
        public String id() {
            return id;
        }

        public String meaning() {
            return meaning;
        }
    }
}
