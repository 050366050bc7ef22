package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.LedgerWriter;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.UnusableRunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        assertEquals("pkg:npm/a: attempt " + first + " counts twice", problems(counting(List.of(first, one.attempts().get(1), one.attempts().get(2), first))));
        String foreign = other.attempts().get(0);
        assertTrue(problems(counting(List.of(foreign))).startsWith("pkg:npm/a: measured by attempt " + foreign + ", which is not"), problems(counting(List.of(foreign))));
    }

    @Test
    void anAttemptBeginsOnceAndEndsOnce() throws Exception {
        String first = one.attempts().get(0);
        String key = "0".repeat(64);
        assertTrue(problems(new LedgerEvent.Started(one.at(), one.target(), key, first, "s")).contains("attempt " + first + " was started twice"));
        assertTrue(problems(new LedgerEvent.Completed(one.at(), one.target(), key, first, key)).contains("attempt " + first + " was completed twice"));
        assertTrue(problems(new LedgerEvent.Completed(one.at(), one.target(), key, "unheard-of-1", key)).contains("attempt unheard-of-1 was completed and was never started"));
    }

    @Test
    void whatEndsWasStartedAndIsOfTheFrame() throws Exception {
        String key = "0".repeat(64);
        assertTrue(problems(new LedgerEvent.Installed(one.at(), one.target(), "unheard-of-1", "installed", true, key)).contains("unheard-of-1 came to an install and was never started"));
        assertTrue(problems(new LedgerEvent.Faulted(one.at(), one.target(), key, "unheard-of-1", "timeout", "")).contains("unheard-of-1 faulted and was never started"));
        assertTrue(problems(new LedgerEvent.Finished(one.at(), "pkg:npm/foreign", one.state(), one.detail(), one.attempts())).contains("the frame has not: pkg:npm/foreign"));
    }

    /** Faulted after it was completed, an install and a fault, ends of another target: what a line that is doubled, moved or edited leaves. */
    @Test
    void anAttemptHasOneEndForWhatItWasBegun() throws Exception {
        String session = one.attempts().get(0);
        String key = keyOf(session);
        assertTrue(problems(new LedgerEvent.Faulted(one.at(), one.target(), key, session, "timeout", "")).contains("attempt " + session + " was completed, and then it faulted"));
        LedgerEvent.Installed install = events(LedgerEvent.Installed.class).get(0);
        assertTrue(problems(install).contains("attempt " + install.attempt() + " came to an install twice"));
        assertTrue(problems(one).contains("finished twice by the same event"));
        assertTrue(edited("\"event\":\"completed\"[^\n]*\"target\":\"pkg:npm/a\"", "pkg:npm/a", "pkg:npm/b").contains("for another target or work key than it was started for, pkg:npm/b"));
    }

    @Test
    void aTargetIsLeftOutByTheFrameOrNotAtAll() throws Exception {
        assertTrue(problems(new LedgerEvent.Excluded(one.at(), one.target(), "duplicate")).contains("pkg:npm/a is left out in the ledger, but not by the frame"));
        assertTrue(problems(new LedgerEvent.Excluded(one.at(), "line-99", "duplicate")).contains("the frame has not: line-99"));
        assertTrue(problems(new LedgerEvent.Planned(one.at(), "pkg:npm/foreign", "k", "s", "x")).contains("the frame has not: pkg:npm/foreign"));
    }

    @Test
    void howATargetEndedIsWhatItsInstallAndItsSessionsSay() throws Exception {
        assertTrue(problems(counting(one.attempts().subList(0, 2))).contains("pkg:npm/a: attempt " + one.attempts().get(2) + " was completed and does not count"));
        assertTrue(problems(counting(List.of())).contains("pkg:npm/a: started by 0 sessions"));
        assertTrue(problems(new LedgerEvent.Finished(one.at(), one.target(), "not-installed", "", List.of())).contains("pkg:npm/a: not-installed by 0 sessions, and its install came to installed"));
        assertTrue(edited("\"event\":\"installed\"[^\n]*", "\"usable\":true", "\"usable\":false").contains("pkg:npm/a: started by 3 sessions"));
        assertTrue(edited("\"event\":\"started\"[^\n]*", "2026-", "some day ").contains("\"at\" is no time"));
    }

    @Test
    void aRowOfTheFrameIsThatOfItsTarget() throws Exception {
        byte[] before = Files.readAllBytes(run.frame());
        Files.writeString(run.frame(), new String(before, java.nio.charset.StandardCharsets.UTF_8).replace("\"name\":\"a\"", "\"name\":\"z\""));
        assertEquals(List.of(run.frame() + ": row pkg:npm/a says what belongs to pkg:npm/z"), Verification.of(run).problems());
        Files.write(run.frame(), before);
    }

    @Test
    void nothingLiesWhereTheLedgerPutsNothing() throws Exception {
        Path copy = run.path().resolve("transcripts/zz").resolve(run.transcript(one.attempts().get(0)).getFileName());
        Path stranger = run.path().resolve("installs/stranger-00000000.json");
        Files.createDirectories(copy.getParent());
        Files.copy(run.transcript(one.attempts().get(0)), copy);
        Files.writeString(stranger, "{}");
        assertEquals(List.of(copy + ": no attempt of the ledger", stranger + ": no target of the ledger"), Verification.of(run).problems());
    }

    /** What a target has so far that is not measured yet. */
    @Test
    void transcriptsOfAnUnmeasuredTargetAreWholeToo() throws Exception {
        String text = Files.readString(run.ledger());
        Files.writeString(run.ledger(), text.replaceAll("\\{\"event\":\"finished\"[^\n]*\"target\":\"pkg:npm/a\"[^\n]*\n", ""));
        assertEquals(List.of(), Verification.of(run).problems());
        Files.writeString(run.transcript(one.attempts().get(0)), "other");
        assertEquals(1, Verification.of(run).problems().size());
    }

    /** Such lines ended in a defect of this program, in each command that reads the run. */
    @Test
    void aLineThatNoCensusWritesIsDamageAndIsNamed() throws Exception {
        for (String[] edit : List.of(new String[] {"\"state\":\"started\"", "\"state\":\"wonderful\""}, new String[] {"\"state\":\"started\"", "\"state\":\"excluded\""},
                new String[] {"\"attempt\":\"" + one.attempts().get(0) + "\"", "\"attempt\":\"a\""}, new String[] {"\"attempt\":\"" + one.attempts().get(0) + "\"", "\"attempt\":\"../../x-1\""})) {
            String text = Files.readString(run.ledger());
            Files.writeString(run.ledger(), text.replaceFirst(edit[0], edit[1]));
            String said = assertThrows(UnusableRunException.class, () -> Verification.of(run)).getMessage();
            assertTrue(said.matches("(?s).*ledger.jsonl, line \\d+: .*"), said);
            Files.writeString(run.ledger(), text);
        }
    }

    private <T extends LedgerEvent> List<T> events(Class<T> type) throws Exception {
        List<T> out = new ArrayList<>();
        LedgerReader.read(run.ledger(), event -> {
            if (type.isInstance(event)) {
                out.add(type.cast(event));
            }
        });
        return out;
    }

    private String keyOf(String attempt) throws Exception {
        return events(LedgerEvent.Completed.class).stream().filter(e -> e.attempt().equals(attempt)).findFirst().orElseThrow().key();
    }

    /** What is wrong when, in the first line that the pattern finds, a text stands for another. */
    private String edited(String line, String text, String by) throws Exception {
        String before = Files.readString(run.ledger());
        Matcher found = Pattern.compile(line).matcher(before);
        assertTrue(found.find());
        Files.writeString(run.ledger(), before.substring(0, found.start()) + before.substring(found.start()).replaceFirst(Pattern.quote(text), by));
        String problems = String.join("\n", Verification.of(run).problems());
        Files.writeString(run.ledger(), before);
        return problems;
    }
}
