package dev.mcpprober.dataset.report;

import dev.mcpprober.run.TargetState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What became of every row of the frame; nothing is left out. */
final class FunnelPart implements Part {
    private static final List<TargetState> ENDS = List.of(TargetState.NOT_INSTALLED, TargetState.START_FAILED, TargetState.STARTED);

    @Override
    public Optional<Section> section(Material material) {
        int frame = material.frame();
        int excluded = material.count(TargetState.EXCLUDED);
        int unmeasured = material.count(TargetState.UNMEASURED);
        int measured = frame - excluded - unmeasured;
        List<List<Object>> rows = new ArrayList<>();
        rows.add(Sheet.row("declared", "", "", frame));
        state(material, rows, TargetState.EXCLUDED, "declared");
        state(material, rows, TargetState.UNMEASURED, "declared");
        rows.add(Sheet.row("measured", "declared", "", measured));
        ENDS.forEach(state -> state(material, rows, state, "measured"));
        List<Charts.Bar> steps = new ArrayList<>();
        step(steps, "declared", 0, frame, frame, true);
        step(steps, "excluded by the frame", frame - excluded, excluded, frame, false);
        step(steps, "unmeasured: our fault, no result", measured, unmeasured, frame, false);
        step(steps, "measured", 0, measured, frame, true);
        int left = measured;
        for (TargetState state : ENDS) {
            boolean last = state == TargetState.STARTED;
            int count = material.count(state);
            left -= last ? 0 : count;
            step(steps, last ? "started: gave a session" : state == TargetState.NOT_INSTALLED ? "not installed" : "start failed", last ? 0 : left, count, frame, last);
        }
        String title = "Rows of the frame, from declared to started";
        Sheet sheet = new Sheet(List.of(Sheet.text("step", "rows"), Sheet.text("part_of", "part of"), Sheet.text("reason", "reason"), Sheet.count("rows", "number")), rows);
        String sums = frame + " declared = " + excluded + " excluded + " + unmeasured + " unmeasured + " + measured + " measured; " + measured + " measured = "
                + material.count(TargetState.NOT_INSTALLED) + " not installed + " + material.count(TargetState.START_FAILED) + " start failed + "
                + material.count(TargetState.STARTED) + " started.";
        return Optional.of(new Section("funnel", "What became of the frame", Section.paragraph(sums),
                List.of(new Figure("funnel", title, sheet, Charts.fall("funnel", title, steps), Vega.counts(title, sheet, "step", "rows")))));
    }

    private static void step(List<Charts.Bar> steps, String label, int from, int count, int frame, boolean keeps) {
        double whole = Math.max(1, frame);
        steps.add(new Charts.Bar(label, keeps ? 1 : 0, from / whole, (from + count) / whole, Integer.toString(count)));
    }

    private static void state(Material material, List<List<Object>> rows, TargetState state, String of) {
        rows.add(Sheet.row(state.id(), of, "", material.count(state)));
        if (state != TargetState.STARTED) {
            material.coverage().stream().filter(row -> row.get("state").equals(state.id()))
                    .forEach(row -> rows.add(Sheet.row(state.id() + " because", state.id(), row.get("reason"), row.count("count"))));
        }
    }
}
