package dev.mcpprober.dataset.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.TargetState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PairedTest {
    @Test
    void rowsArePairedByWhatTheyName() {
        List<Paired> pairs = Paired.of(
                List.of(server("a", "1.0", "1.0"), server("b", "1.0", "1.0"), server("c", "", "3.0"), server("twice", "1.0", "1.0"), server("gone", "1.0", "1.0"),
                        excluded(4)),
                List.of(server("a", "1.0", "1.0"), server("b", "2.0", "2.0"), server("c", "", "3.1"), server("twice", "2.0", "2.0"), server("twice", "3.0", "3.0"),
                        server("new", "1.0", "1.0"), excluded(4)));
        assertEquals(List.of("excluded a line-4", "excluded b line-4", "same ab pkg:npm/a@1.0", "version-changed ab pkg:npm/b@1.0", "version-changed ab pkg:npm/c",
                        "only-a a pkg:npm/gone@1.0", "only-b b pkg:npm/new@1.0", "ambiguous a pkg:npm/twice@1.0", "ambiguous b pkg:npm/twice@2.0",
                        "ambiguous b pkg:npm/twice@3.0"),
                pairs.stream().map(p -> p.match().id() + " " + (p.a() == null ? "" : "a") + (p.b() == null ? "" : "b") + " " + p.target()).toList());
    }

    /** The same package at two releases in one frame, as in a matrix of SDKs: the frame's own id comes first. */
    @Test
    void severalReleasesOfOnePackageKeepApart() {
        List<ServerVerdicts> frame = List.of(server("sdk", "1.0", "1.0"), server("sdk", "2.0", "2.0"));
        assertEquals(List.of("SAME", "SAME"), Paired.of(frame, frame).stream().map(p -> p.match().name()).toList());
    }

    private static ServerVerdicts server(String name, String pinned, String installed) {
        FrameRow row = new FrameRow("pkg:npm/" + name + (pinned.isEmpty() ? "" : "@" + pinned), 2, "npm:" + name, "npm", name, pinned, List.of(), List.of(), "", "", "");
        return new ServerVerdicts(row, TargetState.STARTED, installed, "", "", Set.of(), "", "", "", Map.of());
    }

    private static ServerVerdicts excluded(int line) {
        FrameRow row = new FrameRow("line-" + line, line, "", "", "", "", List.of(), List.of(), "", "malformed", "no target");
        return new ServerVerdicts(row, TargetState.EXCLUDED, "", "malformed", "", Set.of(), "", "", "", Map.of());
    }
}
