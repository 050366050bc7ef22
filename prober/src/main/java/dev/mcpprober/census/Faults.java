package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;

/** Tells what kind of fault an exception is. None of these texts comes from a server: they are the JDK's and our own. */
final class Faults {
    private Faults() {}

    static Fault of(Throwable problem) {
        if (problem instanceof EngineException engine) {
            return engine.fault();
        }
        if (problem instanceof InterruptedException || problem instanceof ClosedByInterruptException) {
            return new Fault.Interrupted("stopped on request");
        }
        if (problem instanceof IOException io) {
            return ofIo(io);
        }
        StackTraceElement[] trace = problem.getStackTrace();
        return new Fault.ProberDefect(problem + (trace.length == 0 ? "" : " at " + trace[0]));
    }

    private static Fault ofIo(IOException problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClosedByInterruptException) {
                return new Fault.Interrupted("stopped on request");
            }
            String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            // The JDK has no type for it: these are the C library's words for ENOSPC and EDQUOT.
            if (message.contains("no space left on device") || message.contains("disk quota exceeded")) {
                return new Fault.HostDiskFull(problem.getMessage());
            }
        }
        return new Fault.EngineError("file of the run", String.valueOf(problem));
    }
}
