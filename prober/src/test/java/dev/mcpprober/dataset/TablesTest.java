package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.model.Fault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The closed lists of the tables are those of the program. */
class TablesTest {
    @Test
    void everyFaultHasItsValue() {
        List<Fault> all = List.of(new Fault.EngineUnavailable(""), new Fault.EngineForbidden(""), new Fault.EngineError("", ""), new Fault.HostDiskFull(""),
                new Fault.ImageUnavailable("", ""), new Fault.RegistryUnreachable(""), new Fault.ChannelLost(""), new Fault.SandboxLeaks(""),
                new Fault.Interrupted(""), new Fault.ProberDefect(""));
        assertEquals(Fault.class.getPermittedSubclasses().length, all.size(), "a fault is not tested");
        assertEquals(values(Tables.ATTEMPTS, "fault"), set(all.stream().map(Fault::kind).toList()));
    }

    @Test
    void everyInstallOutcomeHasItsValue() {
        List<InstallOutcome> all = List.of(new InstallOutcome.Installed(""), new InstallOutcome.NotFound(""), new InstallOutcome.NoVersionMatches(""),
                new InstallOutcome.UnsupportedRuntime(""), new InstallOutcome.BuildFailed(""), new InstallOutcome.InstallScriptFailed("", ""),
                new InstallOutcome.BlockedEgress(List.of(), "", ""), new InstallOutcome.NoEntryPoint(""), new InstallOutcome.TooLarge(""),
                new InstallOutcome.TimedOut(1));
        assertEquals(InstallOutcome.class.getPermittedSubclasses().length, all.size(), "an outcome is not tested");
        assertEquals(values(Tables.TARGETS, "install_outcome"), set(all.stream().map(InstallOutcome::kind).toList()));
        for (InstallOutcome outcome : all) {
            assertEquals(!outcome.kind().equals("installed"), values(Tables.TARGETS, "startup_failure").contains("install-" + outcome.kind()));
        }
    }

    @Test
    void everyColumnIsDescribedAndNamedOnce() {
        for (TableSchema table : Tables.ALL) {
            Set<String> names = new HashSet<>();
            for (Column column : table.columns()) {
                assertTrue(names.add(column.name()), table.name() + "." + column.name());
                assertTrue(column.description().endsWith("."), table.name() + "." + column.name() + ": " + column.description());
            }
        }
    }

    private static Set<String> values(TableSchema table, String column) {
        return set(table.columns().get(table.position(column)).values());
    }

    private static Set<String> set(List<String> values) {
        return new HashSet<>(values);
    }
}
