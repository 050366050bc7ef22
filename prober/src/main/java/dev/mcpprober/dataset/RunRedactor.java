package dev.mcpprober.dataset;

import dev.mcpprober.redaction.Known;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What is taken out of all that leaves a run: besides the rest, arguments of its frame that are secrets, which transcripts of before may hold. */
public final class RunRedactor {
    private RunRedactor() {}

    public static Redactor of(RunFolder run, Redactor redactor) throws IOException {
        return of(run.readFrame(), redactor);
    }

    static Redactor of(List<FrameRow> rows, Redactor redactor) {
        List<Known> known = new ArrayList<>();
        rows.forEach(row -> known.addAll(Known.arguments(row.args())));
        return redactor.knowing(known);
    }
}
