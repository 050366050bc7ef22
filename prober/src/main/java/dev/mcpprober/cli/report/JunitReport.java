package dev.mcpprober.cli.report;

import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.VerdictWord;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * {@code check --format junit}: a suite for each rule set, a case for each row. A case fails where the exit status does; a finding
 * that is baselined or below {@code --fail-on}, and a question that stayed open, is a skipped case with the same text. Elements and
 * attributes are those that both the schema of Ant's JUnit task and Jenkins's take.
 */
final class JunitReport {
    private final CheckResult result;
    private final Gate gate;
    private final String now;
    private final XMLStreamWriter xml;
    private int suites;

    private JunitReport(CheckResult result, Gate gate, String now, XMLStreamWriter xml) {
        this.result = result;
        this.gate = gate;
        this.now = now.replaceFirst("(\\.\\d+)?Z$", "");
        this.xml = xml;
    }

    private enum State { PASSED, FAILED, ERROR, SKIPPED }

    private record Case(String name, State state, String kind, String message, List<String> body) {}

    static String write(CheckResult result, Gate gate, String now) {
        StringWriter text = new StringWriter();
        try {
            new JunitReport(result, gate, now, XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text)).document();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML can be written to memory", e);
        }
        return text.toString();
    }

    private void document() throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        line(0);
        xml.writeStartElement("testsuites");
        suite("startup", List.of(startup()));
        for (RuleSet rules : result.ruleSets()) {
            Set<String> names = new TreeSet<>();
            suite(rules.label(), result.graded().stream().filter(g -> g.ruleSet().equals(rules.label())).map(g -> row(g, names)).toList());
        }
        if (gate.hasBaseline()) {
            List<Case> gone = new ArrayList<>();
            gate.gone().forEach(key -> gone.add(new Case(Quote.text(key.toString()), State.FAILED, "gone", "A finding of the baseline is no longer there.",
                    List.of("It is no longer so: write the baseline anew."))));
            suite("baseline", gone);
        }
        line(0);
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private Case startup() {
        if (result.startupFailure().isEmpty()) {
            return new Case("startup", State.PASSED, "", "", List.of());
        }
        String kind = result.startupFailure().get();
        return new Case("startup", gate.fails(kind) ? State.ERROR : State.SKIPPED, kind, "no session: " + kind, result.startupText());
    }

    private Case row(Graded graded, Set<String> names) {
        Subject subject = graded.observation().subject();
        String name = subject.check() + " [" + subject.session() + "]" + FindingText.about(subject, " ");
        for (int i = 2; !names.add(name); i++) {
            name = name.replaceFirst(" #\\d+$", "") + " #" + i;
        }
        String word = graded.verdict().word();
        State state = gate.fails(graded) ? State.FAILED : word.equals(VerdictWord.PASS.id()) ? State.PASSED : State.SKIPPED;
        String message = word + (gate.isKnown(graded) ? ", baselined" : "") + ": " + Printable.text(graded.verdict().note());
        List<String> body = FailOn.isFinding(word) || word.equals(VerdictWord.INCONCLUSIVE.id()) ? FindingText.body(graded, result.witnesses()) : List.of();
        return new Case(name, state, word, message, body);
    }

    private void suite(String name, List<Case> cases) throws XMLStreamException {
        line(1);
        xml.writeStartElement("testsuite");
        attribute("package", "mcp-prober");
        attribute("id", Integer.toString(suites++));
        attribute("name", name);
        attribute("timestamp", now);
        attribute("hostname", "localhost");
        attribute("tests", Integer.toString(cases.size()));
        attribute("failures", count(cases, State.FAILED));
        attribute("errors", count(cases, State.ERROR));
        attribute("skipped", count(cases, State.SKIPPED));
        attribute("time", "0");
        line(2);
        xml.writeStartElement("properties");
        line(3);
        xml.writeEmptyElement("property");
        attribute("name", "target");
        attribute("value", Quote.text(result.label()));
        line(2);
        xml.writeEndElement();
        for (Case one : cases) {
            testcase(name, one);
        }
        line(2);
        xml.writeEmptyElement("system-out");
        line(2);
        xml.writeEmptyElement("system-err");
        line(1);
        xml.writeEndElement();
    }

    private void testcase(String suite, Case one) throws XMLStreamException {
        line(2);
        xml.writeStartElement("testcase");
        attribute("classname", suite);
        attribute("name", one.name());
        attribute("time", "0");
        if (one.state() != State.PASSED) {
            line(3);
            xml.writeStartElement(one.state() == State.FAILED ? "failure" : one.state() == State.ERROR ? "error" : "skipped");
            attribute("message", one.message());
            if (one.state() != State.SKIPPED) {
                attribute("type", one.kind());
            }
            xml.writeCharacters(one.body().isEmpty() ? "" : "\n" + String.join("\n", one.body()) + "\n");
            xml.writeEndElement();
            line(2);
        }
        xml.writeEndElement();
    }

    private static String count(List<Case> cases, State state) {
        return Long.toString(cases.stream().filter(one -> one.state() == state).count());
    }

    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, value);
    }

    private void line(int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }
}
