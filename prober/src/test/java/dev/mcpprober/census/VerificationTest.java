package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerWriter;
import dev.mcpprober.run.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run whose ledger gets one more line that cannot be. */
class VerificationTest {
    @TempDir Path temp;
    private RunFolder run;
    private LedgerEvent.Finished one;
    private LedgerEvent.Finished other;

    @BeforeEach
    void measure() throws Exception {
        FakeWorld world = new FakeWorld();
        Frame frame = FakeWorld.frame(temp, "npm:a", "npm:b");
        try (OpenRun open = FakeWorld.open(temp.resolve("run"), frame)) {
            new CensusRunner(open, world, world, DiskGuard.none(), CensusRunner.Options.defaults(), Progress.SILENT).run(frame.eligible());
            one = open.ledger().read(state -> state.of("pkg:npm/a").finished()).orElseThrow();
            other = open.ledger().read(state -> state.of("pkg:npm/b").finished()).orElseThrow();
        }
        run = new RunFolder(temp.resolve("run"));
        assertEquals(List.of(), Verification.of(run).problems());
        assertEquals(6, Verification.of(run).transcripts());
    }

    private String problems(LedgerEvent line) throws Exception {
        byte[] before = Files.readAllBytes(run.ledger());
        Files.writeString(run.ledger(), LedgerWriter.line(line), StandardOpenOption.APPEND);
        String problems = String.join("\n", Verification.of(run).problems());
        Files.write(run.ledger(), before);
        return problems;
    }

    private LedgerEvent.Finished counting(List<String> attempts) {
        return new LedgerEvent.Finished(one.at(), one.target(), one.state(), one.detail(), attempts);
    }

    @Test
    void whatCountsIsOfTheTargetAndCountsOnce() throws Exception {
        String first = one.attempts().get(0);
        assertEquals("pkg:npm/a: attempt " + first + " counts twice", problems(counting(List.of(first, one.attempts().get(1), first))));
        String foreign = other.attempts().get(0);
        assertTrue(problems(counting(List.of(foreign))).startsWith("pkg:npm/a: measured by attempt " + foreign + ", which is not"), problems(counting(List.of(foreign))));
    }

    @Test
    void anAttemptBeginsOnceAndEndsOnce() throws Exception {
        String first = one.attempts().get(0);
        String key = "0".repeat(64);
        assertTrue(problems(new LedgerEvent.Started(one.at(), one.target(), key, first, "s")).contains("attempt " + first + " was started twice"));
        assertTrue(problems(new LedgerEvent.Completed(one.at(), one.target(), key, first, key)).contains("attempt " + first + " was completed twice"));
        assertTrue(problems(new LedgerEvent.Completed(one.at(), one.target(), key, "unheard-of-1", key)).contains("attempt unheard-of-1 was completed and never started"));
    }

    @Test
    void whatEndsWasStartedAndIsOfTheFrame() throws Exception {
        String key = "0".repeat(64);
        assertTrue(problems(new LedgerEvent.Installed(one.at(), one.target(), "unheard-of-1", "installed", true, key)).contains("unheard-of-1 came to an install and was never started"));
        assertTrue(problems(new LedgerEvent.Faulted(one.at(), one.target(), key, "unheard-of-1", "timeout", "")).contains("unheard-of-1 faulted and was never started"));
        assertTrue(problems(new LedgerEvent.Finished(one.at(), "pkg:npm/foreign", one.state(), one.detail(), one.attempts())).contains("the frame has not: pkg:npm/foreign"));
    }
}
