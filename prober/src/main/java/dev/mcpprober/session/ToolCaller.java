package dev.mcpprober.session;

import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.ToolListing.Tool;
import java.io.IOException;
import java.util.List;

/** Makes the calls of {@link Step.CallTools}, tool by tool, until the budget is spent or the server is lost. */
final class ToolCaller {
    private static final String SILENT = "the tool left a call before without an answer";
    private static final String LOST = "the server was lost in a call of this tool before";

    /** How a call ended. */
    enum Met { ANSWERED, SILENT, LOST }

    /** The session as the calls need it. */
    interface Line {
        Met call(Step step, CallPlanner.Planned planned) throws EngineException, IOException, InterruptedException;

        void skip(Step step, CallPlanner.Planned planned, String reason) throws IOException;
    }

    /**
     * @param whole  no call is left
     * @param detail what was left out for want of budget; empty for nothing
     */
    record Result(boolean whole, String detail) {}

    private ToolCaller() {}

    /** @param sessionEnd nano time at which the session's own time is up */
    static Result run(ToolProgram program, Step.CallTools step, long sessionEnd, Line line) throws EngineException, IOException, InterruptedException {
        long until = Math.min(System.nanoTime() + step.budget().time().toNanos(), sessionEnd);
        List<Tool> order = program.order();
        int most = Math.min(order.size(), step.budget().tools());
        for (int i = 0; i < most; i++) {
            String prefix = program.prefix(order.get(i));
            String giveUp = step.lostTools().contains(prefix) ? LOST : "";
            for (ToolProgram.ToolCall call : program.calls(order.get(i))) {
                if (step.done().contains(call.step().id())) {
                    continue;
                }
                if (System.nanoTime() > until) {
                    return new Result(true, Scripts.TIME_SPENT + ": " + i + " of " + order.size() + " tools were called in full");
                }
                String skip = call.skip().isEmpty() ? giveUp : call.skip();
                if (!skip.isEmpty()) {
                    line.skip(call.step(), call.planned(), skip);
                    continue;
                }
                Met met = line.call(call.step(), call.planned());
                if (met == Met.LOST) {
                    return new Result(false, "");
                }
                giveUp = met == Met.SILENT ? SILENT : giveUp;
            }
        }
        return new Result(true, most < order.size() ? Scripts.TOOLS_SPENT + ": " + most + " of " + order.size() + " tools were called" : "");
    }
}
