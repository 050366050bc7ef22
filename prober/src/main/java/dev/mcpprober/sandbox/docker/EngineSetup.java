package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Finds an engine, or has one set up, by {@code prober/bin/engine-setup}, which talks to the user on standard error. */
public final class EngineSetup {
    private EngineSetup() {}

    /** How it went; the exit statuses of the script. */
    public enum State {
        READY(0, ""),
        NO_PERMISSION(11, "an engine's socket is there, but this user may not use it"),
        SETUP_FORBIDDEN(12, "no engine answers, and PROBER_NO_ENGINE_SETUP=1 forbids setting one up"),
        NO_SETUP_HERE(13, "no engine answers, and none can be set up here (that needs root on Debian or Ubuntu)"),
        HOST_UNREACHABLE(14, "no engine answers where DOCKER_HOST says"),
        SETUP_FAILED(15, "setting up an engine failed");

        private final int exit;
        private final String detail;

        State(int exit, String detail) {
            this.exit = exit;
            this.detail = detail;
        }

        static State of(int exit) {
            return Arrays.stream(values()).filter(s -> s.exit == exit).findFirst().orElse(SETUP_FAILED);
        }

        Fault fault() {
            String text = detail + "; what to do was said above";
            return this == NO_PERMISSION ? new Fault.EngineForbidden(text) : new Fault.EngineUnavailable(text);
        }
    }

    /** Waits as long as the script takes: seconds where an engine has to be started, a minute or more where one is installed. */
    public static State ensure() throws EngineException {
        return ensure(ProberHome.folder().resolve("bin/engine-setup"));
    }

    /** The same, with anything but {@link State#READY} as a fault. */
    public static void require() throws EngineException {
        State state = ensure();
        if (state != State.READY) {
            throw new EngineException(state.fault());
        }
    }

    static State ensure(Path script) throws EngineException {
        try {
            Process process = new ProcessBuilder(script.toString())
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return State.of(process.waitFor());
        } catch (IOException e) {
            throw new EngineException(new Fault.ProberDefect("cannot run " + script + ": " + e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while the engine was set up"), e);
        }
    }
}
