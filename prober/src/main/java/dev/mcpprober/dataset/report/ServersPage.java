package dev.mcpprober.dataset.report;

import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Every row of the frame, with a link to the page of each that was tried. */
final class ServersPage {
    private ServersPage() {}

    /** Empty where there is no verdict to count. */
    private static String counted(Material.ServerLine server, int count) {
        return server.state().equals(TargetState.STARTED.id()) ? Integer.toString(count) : "";
    }

    static String html(Material material, Path report) throws IOException {
        List<List<String>> shown = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        for (Material.ServerLine server : material.servers()) {
            String name = Html.text(server.target(), 120);
            String sdk = (server.family() + " " + server.version()).strip();
            shown.add(List.of(server.page().isEmpty() ? name : "<a href=\"" + Html.text(server.page()) + "\">" + name + "</a>",
                    Html.text(server.state() + (server.reason().isEmpty() ? "" : ": " + server.reason()), 80), Html.text(server.revision(), 40), Html.text(sdk, 60),
                    counted(server, server.fails()), counted(server, server.warns())));
            rows.add(Sheet.row(server.target(), server.state(), server.reason(), server.revision(), server.family(), server.version(), counted(server, server.fails()),
                    counted(server, server.warns())));
        }
        Figure figure = Figure.table("servers", "All rows of the frame", new Sheet(List.of(Sheet.text("target_id", "server"), Sheet.text("state", "state"), Sheet.text("reason", "reason"),
                Sheet.text("revision", "revision"), Sheet.text("sdk_family", "SDK family"), Sheet.text("sdk_version", "SDK version"), Sheet.text("fails", "fail"),
                Sheet.text("warns", "warn")), rows));
        figure.write(report);
        return Page.of("all servers", "", "<h1>All rows of the frame</h1>\n<p>Checks that fail and warn under " + Html.text(material.ruleSet()) + ". <a href=\"" + Figure.FOLDER
                + "servers.csv\">CSV</a></p>\n" + Html.table("All rows of the frame", List.of("server", "state", "revision", "SDK", "fail#", "warn#"), shown));
    }
}
