package dev.mcpprober.census.queue;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.corpus.Eligibility;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One unit in a run folder of its own, which goes away when it is packed. */
final class UnitWork {
    private final UnitMeasure measure;
    private final Map<String, String> host;
    private final Clock clock;

    /** @param host facts about this worker, for the ledger */
    UnitWork(UnitMeasure measure, Map<String, String> host, Clock clock) {
        this.measure = measure;
        this.host = host;
        this.clock = clock;
    }

    /** @param outcome as in the table of attempts */
    record Done(String outcome, byte[] archive, String detail) {}

    /** @param started is given the runner before it begins, so that others can break it off */
    Done measure(RunInfo info, FrameEntry entry, Consumer<CensusRunner> started) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("mcp-prober-unit-");
        try {
            CensusOutcome outcome;
            try (OpenRun run = open(folder, info, entry)) {
                outcome = measure.measure(run, entry, started);
            }
            String kind = outcome instanceof CensusOutcome.StoppedEarly ? QueueTables.STOPPED
                    : outcome.coverage().unmeasured() == 0 ? QueueTables.MEASURED : QueueTables.FAULTED;
            return new Done(kind, UnitArchive.pack(folder), outcome instanceof CensusOutcome.StoppedEarly stopped ? stopped.reason() : "");
        } finally {
            Folders.delete(folder);
        }
    }

    /** The folder of a unit that is not tried any more. */
    Done giveUp(RunInfo info, FrameEntry entry, String reason) throws IOException {
        Path folder = Files.createTempDirectory("mcp-prober-unit-");
        try {
            try (OpenRun run = open(folder, info, entry)) {
                String now = clock.instant().toString();
                Fault fault = new Fault.Interrupted(reason);
                run.ledger().append(new LedgerEvent.Started(now, entry.id(), LedgerEvent.INSTALL, "gave-up-1", "unit"),
                        new LedgerEvent.Faulted(now, entry.id(), LedgerEvent.INSTALL, "gave-up-1", fault.kind(), fault.detail()));
            }
            return new Done(QueueTables.GAVE_UP, UnitArchive.pack(folder), reason);
        } finally {
            Folders.delete(folder);
        }
    }

    private OpenRun open(Path folder, RunInfo info, FrameEntry entry) throws IOException {
        Frame frame = new Frame(folder, List.of(new Eligibility.Eligible(entry)));
        RunInfo unit = new RunInfo(info.formatVersion(), info.createdAt(), info.proberVersion(), info.frameFile(), info.frameHash(), 1, info.seed(),
                info.profile(), info.settings(), info.images(), host);
        return OpenRun.open(folder, unit, frame, clock);
    }
}
