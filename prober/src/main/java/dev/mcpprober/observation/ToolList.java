package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What tools/list gave in one session, page by page.
 *
 * @param step  the listing step, or null where the session has none that ran
 * @param pages the requests sent, in order; only those with a result object count as pages
 */
record ToolList(StepView step, List<Exchange> requests, List<Page> pages) {
    /** One answered page. */
    record Page(Exchange exchange, JsonNode result) {
        int event() {
            return exchange.readable().event();
        }

        JsonNode cursor() {
            return result.path("nextCursor");
        }
    }

    /** A listed entry with the event that shows it; {@code name} is null where it is no string. */
    record Tool(String name, JsonNode node, int event) {}

    static ToolList of(SessionLog log) {
        for (StepView step : log.steps()) {
            List<Exchange> requests = log.exchanges(step).stream().filter(x -> x.method().equals("tools/list")).toList();
            if (!step.skipped() && !requests.isEmpty() && !step.probe().equals(Probe.LIVENESS) && !step.probe().equals(Check.TOOLS_CAPABILITY.id())) {
                List<Page> pages = new ArrayList<>();
                for (Exchange exchange : requests) {
                    Exchange.Reply reply = exchange.readable();
                    if (reply != null && reply.response().node().path("result").isObject() && !reply.response().hasError()) {
                        pages.add(new Page(exchange, reply.response().node().get("result")));
                    }
                }
                return new ToolList(step, requests, pages);
            }
        }
        return new ToolList(null, List.of(), List.of());
    }

    boolean listed() {
        return pages.stream().anyMatch(page -> page.result().path("tools").isArray());
    }

    /** Every entry of every page, repeated ones too; the pages of a cursor that came before are left out. */
    List<Tool> entries() {
        List<Tool> out = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        for (Page page : pages) {
            if (page.result().path("tools").isArray()) {
                for (JsonNode node : page.result().get("tools")) {
                    JsonNode name = node.path("name");
                    out.add(new Tool(name.isTextual() ? name.textValue() : null, node, page.event()));
                }
            }
            if (page.cursor().isTextual() && !cursors.add(page.cursor().textValue())) {
                break;
            }
        }
        return out;
    }

    /** Each name once, first entry wins, then entries without a name. */
    List<Tool> distinct() {
        List<Tool> out = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Tool tool : entries()) {
            if (tool.name() == null || names.add(tool.name())) {
                out.add(tool);
            }
        }
        return out;
    }

    Optional<Tool> tool(String name) {
        return distinct().stream().filter(tool -> name.equals(tool.name())).findFirst();
    }
}
