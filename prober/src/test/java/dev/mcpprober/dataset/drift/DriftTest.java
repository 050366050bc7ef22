package dev.mcpprober.dataset.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DriftTest {
    private static Drift.Pair pair(String target, Drift.Cause cause, List<TreeChange> changes, Drift.Flip... flips) {
        return new Drift.Pair(target, "1", "1", List.of(flips), cause, changes);
    }

    private static final Drift.Flip STOPPED = new Drift.Flip("start", "started", "start-failed crash-traceback");
    private static final TreeChange SDK = new TreeChange("sdk", "1.9", "2.0");
    private static final TreeChange COMMON = new TreeChange("common", "3", "4");

    @Test
    void treesAreComparedByName() {
        assertEquals("[a 1 -> 2, gone 1 -> (gone), new (new) -> 1, twice 1 -> 3]", TreeChange.between(
                List.of("a@1", "same@1", "gone@1", "twice@1", "twice@2", "@s/p@1"), List.of("a@2", "same@1", "new@1", "twice@2", "twice@3", "@s/p@1")).toString());
    }

    @Test
    void theReleaseThatStoppedServersComesFirstAndACommonOneAfterIt() {
        Drift drift = new Drift(List.of(
                pair("x", Drift.Cause.DEPENDENCY, List.of(SDK, COMMON), STOPPED),
                pair("y", Drift.Cause.DEPENDENCY, List.of(SDK, COMMON), new Drift.Flip("tools-call-unknown", "pass", "fail")),
                pair("z", Drift.Cause.DEPENDENCY, List.of(COMMON)),
                pair("w", Drift.Cause.DEPENDENCY, List.of(COMMON), new Drift.Flip("ping", "pass", "not-run")),
                pair("own", Drift.Cause.OWN_VERSION, List.of(SDK), STOPPED)), 1, 0);
        assertEquals(List.of(new Drift.Release("sdk", "2.0", TreeChange.Step.MAJOR, 2, 2, 1), new Drift.Release("common", "4", TreeChange.Step.MAJOR, 4, 2, 1)), drift.releases());
        assertEquals(Map.of(Drift.Cause.OWN_VERSION, 1L, Drift.Cause.DEPENDENCY, 3L, Drift.Cause.IMAGE, 0L, Drift.Cause.NOTHING, 0L), drift.flippedByCause());
    }

    @Test
    void aMajorReleaseStandsAboveWhatComesAndGoesWithIt() {
        List<TreeChange> all = List.of(new TreeChange("gone-with-it", "1", ""), new TreeChange("mcp", "1.28.1", "2.3.0"), new TreeChange("mcp-types", "", "2.3.0"),
                new TreeChange("minor", "4.15.0", "4.16.0"));
        Drift drift = new Drift(List.of(pair("x", Drift.Cause.DEPENDENCY, all, STOPPED), pair("z", Drift.Cause.DEPENDENCY, List.of(all.get(1)))), 0, 0);
        assertEquals(List.of("mcp", "minor", "mcp-types", "gone-with-it"), drift.releases().stream().map(Drift.Release::name).toList());
    }

    @Test
    void stepsGoByWhatSemanticVersioningKeepsCompatible() {
        assertEquals(TreeChange.Step.MAJOR, new TreeChange("p", "0.9.1", "0.10.0").step());
        assertEquals(TreeChange.Step.RELEASE, new TreeChange("p", "0.9.1", "0.9.2").step());
        assertEquals(TreeChange.Step.MAJOR, new TreeChange("p", "1.9,2.1", "3.0").step());
        assertEquals(TreeChange.Step.RELEASE, new TreeChange("p", "1.9,2.1", "2.2").step());
        assertEquals(TreeChange.Step.MAJOR, new TreeChange("p", "main", "next").step());
    }

    @Test
    void textAndTablesAreInertAndTheSameAtEachWriting(@TempDir Path folder) throws Exception {
        Drift drift = new Drift(List.of(pair("pkg:npm/\u001b[31m", Drift.Cause.DEPENDENCY, List.of(new TreeChange("=cmd()", "1", "2")), STOPPED)), 0, 0);
        assertTrue(DriftFiles.render(drift).contains("\\u001b[31m") && !DriftFiles.render(drift).contains("\u001b"));
        List<Path> files = DriftFiles.write(drift, folder, Map.of());
        assertTrue(Files.readString(files.get(0)).contains("'=cmd() 1 -> 2"), Files.readString(files.get(0)));
        String before = Files.readString(files.get(1));
        DriftFiles.write(drift, folder, Map.of());
        assertEquals(before, Files.readString(files.get(1)));
    }

    private static String release(Instant at, String moment, String before, String after) {
        return at.isAfter(Instant.parse(moment)) ? after : before;
    }

    @Test
    void theDayIsFoundInFewProbesAndNamesItsRelease() throws Exception {
        List<Instant> probed = new ArrayList<>();
        Bisection.Found found = new Bisection(moment -> {
            probed.add(moment);
            String sdk = release(moment, "2026-07-28T09:30:00Z", "sdk@1.9", "sdk@2.0");
            return new Bisection.Seen(sdk.equals("sdk@2.0") ? "fail" : "pass", "1.0", List.of("own@1.0", sdk, release(moment, "2026-07-01T00:00:01Z", "other@6", "other@7")));
        }, line -> { }).between(LocalDate.parse("2026-01-01"), LocalDate.parse("2026-11-30"));
        assertEquals("2026-07-28", Bisection.named(found.bad()));
        assertEquals("2026-07-27", Bisection.named(found.good()));
        assertEquals("[sdk 1.9 -> 2.0]", found.changes().toString());
        assertTrue(probed.size() <= 11, probed.toString());
        assertEquals(probed.size(), found.probed());
    }

    @Test
    void releasesOfOneDayAreToldApartByTheHour() throws Exception {
        Bisection.Found found = new Bisection(moment -> {
            String sdk = release(moment, "2026-07-28T09:30:00Z", "sdk@1.9", "sdk@2.0");
            return new Bisection.Seen(sdk.equals("sdk@2.0") ? "fail" : "pass", "1.0", List.of(sdk, release(moment, "2026-07-28T09:37:00Z", "other@6", "other@7"),
                    release(moment, "2026-07-28T01:00:00Z", "early@1", "early@2")));
        }, line -> { }).between(LocalDate.parse("2026-07-20"), LocalDate.parse("2026-08-02"));
        assertEquals("[sdk 1.9 -> 2.0]", found.changes().toString());
        assertTrue(found.bad().isAfter(Instant.parse("2026-07-28T09:30:00Z")) && !found.bad().isAfter(Instant.parse("2026-07-28T09:37:00Z")), Bisection.named(found.bad()));
    }

    @Test
    void whatComesAndGoesWithAReleaseIsNoFurtherSuspect() throws Exception {
        List<Instant> probed = new ArrayList<>();
        Bisection.Found found = new Bisection(moment -> {
            probed.add(moment);
            boolean after = moment.isAfter(Instant.parse("2026-07-28T13:45:40Z"));
            return new Bisection.Seen(after ? "crash" : "started", "1.0", after ? List.of("mcp@2.0.0", "mcp-types@2.0.0") : List.of("mcp@1.29.0", "httpx@0.28.1"));
        }, line -> { }).between(LocalDate.parse("2026-07-27"), LocalDate.parse("2026-07-29"));
        assertEquals(3, probed.size(), "the day is enough");
        assertEquals("[mcp 1.29.0 -> 2.0.0]", Bisection.suspects(found.changes()).toString());
        assertEquals(3, found.changes().size());
    }

    @Test
    void releasesOfOneMinuteAreAllNamed() throws Exception {
        Bisection.Found found = new Bisection(moment -> {
            boolean after = moment.isAfter(Instant.parse("2026-07-28T09:30:00Z"));
            return new Bisection.Seen(after ? "fail" : "pass", "1.0", after ? List.of("sdk@2.0", "types@2.0") : List.of("sdk@1.9", "types@1.9"));
        }, line -> { }).between(LocalDate.parse("2026-07-20"), LocalDate.parse("2026-08-02"));
        assertEquals(2, found.changes().size());
        assertTrue(found.probed() <= 20, "" + found.probed());
    }

    @Test
    void whereBothEndsAreTheSameThereIsNothingToFind() {
        Bisection bisection = new Bisection(day -> new Bisection.Seen("pass", "1", List.of()), line -> { });
        assertThrows(Bisection.NoDifference.class, () -> bisection.between(LocalDate.parse("2026-01-01"), LocalDate.parse("2026-02-01")));
    }
}
