package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.model.Printable;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.client.Decision;
import dev.mcpprober.toolfailure.client.ReferenceClient;
import dev.mcpprober.toolfailure.client.Trail;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A decision trail for a reader: what came, which statement applied, what was done. A client that does not know the extension says
 * nothing that depends on the key. All server text is escaped.
 */
final class TrailText {
    private static final int QUOTE = 600;
    private static final Set<Decision.Action> CLASSIFIED = EnumSet.of(Decision.Action.CHANGE_APPROACH, Decision.Action.ASK_PERSON, Decision.Action.TRY_LATER,
            Decision.Action.RETRY);
    private final PrintWriter out;
    private final ReferenceClient.Stance stance;

    TrailText(PrintWriter out, ReferenceClient.Stance stance) {
        this.out = out;
        this.stance = stance;
    }

    void session(ClientSession session, String tool) {
        out.println("session   " + session.revision().era().id() + ", " + session.revision().date() + ", server "
                + quote(session.serverInfo().member("name").orElse(new ExactJson.Text("unnamed")).brief(QUOTE)));
        out.println("tool      " + quote(tool) + ", " + session.hints(tool).words()
                + (stance.understands() ? stance.trusts() ? "; annotations trusted" : "; annotations not trusted" : ""));
        out.flush();
    }

    void trail(Trail trail) {
        int number = 1;
        for (Trail.Try each : trail.tries()) {
            out.println();
            out.println("try " + number++);
            out.println("  sent      " + quote(each.sent()));
            got(each.answer());
            Decision decision = each.decision();
            if (CLASSIFIED.contains(decision.action())) {
                classified(each.answer());
            }
            decision.notes().forEach(note -> out.println("  note      " + quote(note)));
            out.println("  applies   " + (decision.statement().isEmpty() ? "" : decision.statement() + ": ") + decision.ground().words());
            out.println("  client    " + decision.action().words() + (decision.action() == Decision.Action.RETRY
                    ? ", not before " + Instant.ofEpochMilli(decision.notBefore()) + "; waited " + each.waitedMs() + " ms" : ""));
        }
        out.println();
        out.println((trail.succeeded() ? "succeeded" : "failed") + " after " + trail.tries().size() + (trail.tries().size() == 1 ? " try" : " tries"));
        out.flush();
    }

    private void got(Answer answer) {
        if (answer instanceof Answer.Missing missing) {
            out.println("  got       nothing: " + quote(missing.why()));
        } else if (answer instanceof Answer.ProtocolError refused) {
            out.println("  got       protocol error " + quote(refused.error().brief(QUOTE)));
        } else {
            ExactJson result = ((Answer.Result) answer).value();
            boolean error = result.member("isError").filter(value -> value.equals(new ExactJson.Bool(true))).isPresent();
            out.println("  got       " + (error ? "an error" : "a result") + ": " + quote(text(result)));
            Optional<ExactJson> failure = result.member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY));
            if (stance.understands() && failure.isPresent()) {
                out.println("  object    " + quote(failure.get().brief(QUOTE)));
            }
        }
    }

    /** What of a classification is for people and models: handed on as data, and acted on by nobody here. */
    private void classified(Answer answer) {
        ExactJson failure = ((Answer.Result) answer).value().member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY)).orElseThrow();
        failure.member("agentGuidance").flatMap(ExactJson::asText).ifPresent(guidance -> out.println("  for model " + quote(guidance)));
        out.println("  log id    " + failure.member("correlationId").flatMap(ExactJson::asText).filter(id -> !id.isBlank()).map(TrailText::quote)
                .orElse("none that leads anywhere"));
    }

    /** What the result says to its reader: the text blocks, else the structured content, else the kinds of blocks. */
    private static String text(ExactJson result) {
        List<String> parts = new ArrayList<>();
        if (result.member("content").orElse(null) instanceof ExactJson.Arr blocks) {
            for (ExactJson block : blocks.items()) {
                parts.add(block.member("text").flatMap(ExactJson::asText).orElseGet(() -> "[" + block.member("type").flatMap(ExactJson::asText).orElse("block") + "]"));
            }
        }
        return parts.isEmpty() ? result.member("structuredContent").map(value -> value.brief(QUOTE)).orElse("no content") : String.join(" | ", parts);
    }

    private static String quote(String hostile) {
        return Printable.text(hostile, QUOTE).replace("<", "\\u003c");
    }
}
