package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** tools/list: its answer, its pages, the names. */
final class ToolListObserver {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
    private static final Pattern NAME_OR_SLASH = Pattern.compile("[A-Za-z0-9_./-]{1,128}");

    private ToolListObserver() {}

    /** Checks that need a listing. */
    static final List<Check> CHECKS = List.of(Check.TOOLS_LIST, Check.TOOLS_LIST_PAGINATION, Check.TOOLS_NAME_FORMAT, Check.TOOLS_NAME_UNIQUE,
            Check.TOOLS_SCHEMA_ROOT, Check.TOOLS_SCHEMA_VALID, Check.OUTPUT_SCHEMA_ROOT, Check.TOOLS_SCHEMA_NETWORK_REF);

    static List<Observation> observe(SessionLog log, StepView step) {
        ToolList list = ToolList.of(log);
        if (step.skipped() || list.requests().isEmpty()) {
            return notRun(log, CHECKS, step.skipped() ? step.detail() : "not sent");
        }
        List<Observation> out = new ArrayList<>();
        Reading reading = listing(log, step, list);
        out.add(reading.observation(Subjects.of(Check.TOOLS_LIST, log), null));
        if (!list.listed()) {
            out.addAll(notRun(log, CHECKS.subList(1, CHECKS.size()), "no tools listed"));
            return out;
        }
        Observation.Finding pages = pagination(log, list);
        out.add(pages);
        if (list.distinct().isEmpty()) {
            out.addAll(notRun(log, CHECKS.subList(2, CHECKS.size()), "no tools listed"));
        } else {
            out.add(names(log, list));
            out.add(unique(log, list, pages.observed().equals("loop")));
            out.addAll(SchemaObserver.observe(log, list));
        }
        if (log.era() == Era.MODERN) {
            out.addAll(ModernObserver.caching(Check.TOOLS_LIST_CACHING, log, list.requests()));
        }
        return out;
    }

    private static List<Observation> notRun(SessionLog log, List<Check> checks, String reason) {
        return checks.stream().map(check -> (Observation) new Observation.NotRun(Subjects.of(check, log), reason, "", List.of())).toList();
    }

    /** The first page that was not answered with a result decides; else the shape of what is listed. */
    private static Reading listing(SessionLog log, StepView step, ToolList list) {
        List<Integer> witness = new ArrayList<>();
        Reading last = null;
        for (Exchange exchange : list.requests()) {
            last = Reactions.toRequest(log, step, exchange);
            if (!last.observed().equals(Observed.RESULT)) {
                return last;
            }
            witness.addAll(last.witness());
            List<String> faults = faults(last.result(), log.handshake().known().map(r -> r.era() == Era.LEGACY).orElse(false));
            if (!faults.isEmpty()) {
                String more = faults.size() > 1 ? " and " + Phrase.count(faults.size() - 1, "more fault") : "";
                return new Reading(Observed.VIOLATES, null, Set.of(Flag.SCHEMA), faults.get(0) + more, last.witness(), last.result());
            }
        }
        return new Reading(Observed.RESULT, null, Set.of(), Phrase.count(list.distinct().size(), "tool") + ", "
                + Phrase.count(list.pages().size(), "page"), witness.subList(0, Math.min(witness.size(), 12)), last.result());
    }

    /** What ListToolsResult and Tool demand; {@code legacy} revisions spell out the parts of inputSchema too. */
    private static List<String> faults(JsonNode result, boolean legacy) {
        List<String> out = new ArrayList<>();
        if (!result.path("tools").isArray()) {
            return List.of("/tools is " + (result.has("tools") ? "no list" : "missing"));
        }
        int i = 0;
        for (JsonNode tool : result.get("tools")) {
            String at = "/tools/" + i++;
            if (!tool.isObject()) {
                out.add(at + " is no object");
                continue;
            }
            if (!tool.path("name").isTextual()) {
                out.add(at + "/name is " + (tool.has("name") ? "no string" : "missing"));
            }
            if (tool.has("description") && !tool.get("description").isTextual()) {
                out.add(at + "/description is no string");
            }
            if (!tool.has("inputSchema")) {
                out.add(at + "/inputSchema is missing");
            } else if (legacy) {
                schemaFaults(tool.get("inputSchema"), at + "/inputSchema", out);
            }
        }
        return out;
    }

    private static void schemaFaults(JsonNode schema, String at, List<String> out) {
        JsonNode properties = schema.path("properties");
        if (!properties.isMissingNode() && !properties.isObject()) {
            out.add(at + "/properties is no object");
        }
        for (Iterator<Map.Entry<String, JsonNode>> each = properties.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> property = each.next();
            if (!property.getValue().isObject()) {
                out.add(at + "/properties/" + property.getKey() + " is no object");
            }
        }
        JsonNode required = schema.path("required");
        boolean texts = required.isArray();
        for (JsonNode name : required) {
            texts &= name.isTextual();
        }
        if (!required.isMissingNode() && !texts) {
            out.add(at + "/required is no list of strings");
        }
    }

    private static Observation.Finding pagination(SessionLog log, ToolList list) {
        Set<String> seen = new HashSet<>();
        Set<String> flags = new LinkedHashSet<>();
        List<Integer> witness = new ArrayList<>();
        String observed = "pages";
        String detail = Phrase.count(list.pages().size(), "page");
        for (ToolList.Page page : list.pages()) {
            JsonNode cursor = page.cursor();
            if (!cursor.isMissingNode() && !cursor.isNull() && !cursor.isTextual()) {
                flags.add(Flag.BAD_CURSOR);
                witness.add(page.event());
                detail = "nextCursor is no string: " + Phrase.quote(cursor);
            }
            if (cursor.isTextual() && cursor.textValue().isEmpty() && observed.equals("pages")) {
                observed = "empty-cursor";
                witness.add(page.event());
            }
            if (cursor.isTextual() && !seen.add(cursor.textValue())) {
                observed = "loop";
                witness.clear();
                list.pages().stream().filter(p -> p.cursor().equals(cursor)).limit(2).forEach(p -> witness.add(p.event()));
                detail = "nextCursor " + Phrase.quote(cursor) + " came again on page " + (list.pages().indexOf(page) + 1);
                break;
            }
        }
        ToolList.Page last = list.pages().get(list.pages().size() - 1);
        boolean asked = list.requests().get(list.requests().size() - 1) != last.exchange();
        if (!observed.equals("loop") && last.cursor().isTextual() && !asked && list.step().ended() != Integer.MAX_VALUE) {
            observed = "loop";
            flags.add(Flag.ENDLESS);
            witness.add(last.event());
            detail = "still more after " + Phrase.count(list.pages().size(), "page");
        }
        if (witness.isEmpty()) {
            list.pages().stream().limit(8).forEach(page -> witness.add(page.event()));
        }
        return new Observation.Finding(Subjects.of(Check.TOOLS_LIST_PAGINATION, log), observed, flags, Phrase.detail(detail), witness.stream().distinct().sorted().toList());
    }

    private static Observation names(SessionLog log, ToolList list) {
        Set<String> flags = new LinkedHashSet<>();
        List<Integer> witness = new ArrayList<>();
        List<String> bad = new ArrayList<>();
        boolean slashOnly = true;
        for (ToolList.Tool tool : list.distinct()) {
            if (tool.name() != null && !NAME.matcher(tool.name()).matches()) {
                bad.add(tool.name());
                slashOnly &= NAME_OR_SLASH.matcher(tool.name()).matches();
                witness.add(tool.event());
                if (tool.name().isEmpty()) {
                    flags.add(Flag.EMPTY);
                }
            }
        }
        Subject subject = Subjects.of(Check.TOOLS_NAME_FORMAT, log);
        if (bad.isEmpty()) {
            return new Observation.Finding(subject, Observed.CONFORMS, Set.of(), Phrase.count(list.distinct().size(), "name"), List.of(list.pages().get(0).event()));
        }
        if (slashOnly) {
            flags.add(Flag.SLASH);
        }
        return new Observation.Finding(subject, Observed.VIOLATES, flags, Phrase.detail(String.join(", ", bad.stream().map(name -> "\"" + name + "\"").toList())),
                witness.stream().distinct().limit(8).toList());
    }

    /** Across pages, but where pages repeat themselves only within each. */
    private static Observation unique(SessionLog log, ToolList list, boolean loop) {
        Map<String, Integer> first = new HashMap<>();
        Set<String> twice = new LinkedHashSet<>();
        Set<Integer> witness = new LinkedHashSet<>();
        for (ToolList.Tool tool : list.entries()) {
            String key = loop ? tool.event() + " " + tool.name() : tool.name();
            Integer before = tool.name() == null ? null : first.putIfAbsent(key, tool.event());
            if (before != null) {
                twice.add(tool.name());
                witness.add(before);
                witness.add(tool.event());
            }
        }
        Subject subject = Subjects.of(Check.TOOLS_NAME_UNIQUE, log);
        return twice.isEmpty() ? new Observation.Finding(subject, Observed.CONFORMS, Set.of(), Phrase.count(list.distinct().size(), "name"), List.of(list.pages().get(0).event()))
                : new Observation.Finding(subject, Observed.VIOLATES, Set.of(), Phrase.detail("listed twice: " + String.join(", ", twice)),
                        witness.stream().sorted().limit(8).toList());
    }

    /** The declared capability, where the server declares it or was not asked without. */
    static Observation capability(SessionLog log) {
        Handshake handshake = log.handshake();
        List<Integer> witness = List.of(handshake.event());
        return new Observation.Finding(Subjects.of(Check.TOOLS_CAPABILITY, log), handshake.tools() ? Observed.CONFORMS : Observed.ABSENT, Set.of(),
                "capabilities: " + Phrase.quote(handshake.result().path("capabilities")), witness);
    }

    /** True when the revision in force is {@code revision} or later. */
    static boolean atLeast(SessionLog log, ProtocolRevision revision) {
        return log.handshake().known().map(r -> r.atLeast(revision)).orElse(false);
    }
}
