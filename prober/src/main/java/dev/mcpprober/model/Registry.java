package dev.mcpprober.model;

/** Where a target comes from. */
public enum Registry {
    NPM("npm"),
    PYPI("pypi"),
    /** A folder, tarball or wheel on this machine. */
    LOCAL("local"),
    /** A command that the user trusts and runs on this host ({@code check --cmd}). */
    COMMAND("command");

    private final String id;

    Registry(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }
}
