package dev.mcpprober.observation.shape;

import dev.mcpprober.model.ProtocolRevision;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shapes of one revision, read from {@code wire/shapes.txt}; that file says how it is written. */
public final class Shapes {
    private static final String FILE = "/wire/shapes.txt";
    private static final Pattern DEFINITION = Pattern.compile("(\\S+?)(@[A-E]+)? = (.*)");
    private static final Pattern TOKEN = Pattern.compile("\\s*(\"[^\"]*\"|\\.\\.|@[A-E]+|[\\[\\]<>{}|?:,]|[A-Za-z0-9_$/-](?:[A-Za-z0-9_$/-]|\\.(?!\\.))*)");
    private static final Map<ProtocolRevision, Shapes> BY_REVISION = readAll();

    private final char letter;
    private final Map<String, String> definitions = new LinkedHashMap<>();
    private final Map<String, Shape> read = new HashMap<>();
    private List<String> tokens;
    private int at;

    private Shapes(ProtocolRevision revision, List<String> lines) {
        letter = (char) ('A' + revision.ordinal());
        for (String line : lines) {
            Matcher definition = DEFINITION.matcher(line);
            if (!definition.matches()) {
                throw new IllegalStateException(FILE + ": " + line);
            }
            if (holds(definition.group(2)) && definitions.put(definition.group(1), definition.group(3)) != null) {
                throw new IllegalStateException(FILE + ": twice in " + letter + ": " + definition.group(1));
            }
        }
        definitions.keySet().forEach(this::named);
    }

    public static Shapes of(ProtocolRevision revision) {
        return BY_REVISION.get(revision);
    }

    /** Empty where this revision has no such shape. */
    public Optional<Shape> find(String name) {
        return Optional.ofNullable(read.get(name));
    }

    /** Names of all shapes. */
    public Set<String> names() {
        return read.keySet();
    }

    private static Map<ProtocolRevision, Shapes> readAll() {
        Map<ProtocolRevision, Shapes> out = new EnumMap<>(ProtocolRevision.class);
        for (ProtocolRevision revision : ProtocolRevision.values()) {
            out.put(revision, new Shapes(revision, lines()));
        }
        return out;
    }

    /** One definition each; a line that begins with a blank goes on with the one before. */
    private static List<String> lines() {
        try (InputStream in = Shapes.class.getResourceAsStream(FILE)) {
            List<String> out = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith(" ")) {
                    out.set(out.size() - 1, out.get(out.size() - 1) + line);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    out.add(line);
                }
            }
            return out;
        } catch (IOException e) {
            throw new IllegalStateException(FILE + " is part of the program", e);
        }
    }

    private boolean holds(String revisions) {
        return revisions == null || revisions.indexOf(letter) >= 0;
    }

    private Shape named(String name) {
        Shape known = read.get(name);
        if (known == null) {
            List<String> outer = tokens;
            int outerAt = at;
            tokens = tokens(definitions.get(name));
            at = 0;
            known = union();
            expect("");
            tokens = outer;
            at = outerAt;
            read.put(name, known);
        }
        return known;
    }

    private static List<String> tokens(String text) {
        List<String> out = new ArrayList<>();
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        while (token.find() && token.start() == end) {
            out.add(token.group(1));
            end = token.end();
        }
        if (!text.substring(end).isBlank()) {
            throw new IllegalStateException(FILE + ": " + text.substring(end));
        }
        return out;
    }

    private String peek() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private boolean take(String token) {
        boolean there = peek().equals(token);
        at += there ? 1 : 0;
        return there;
    }

    private void expect(String token) {
        if (!take(token) && !(token.isEmpty() && at == tokens.size())) {
            throw new IllegalStateException(FILE + ": \"" + token + "\" expected at \"" + peek() + "\" in " + String.join(" ", tokens));
        }
    }

    private boolean inForce() {
        return !peek().startsWith("@") || holds(tokens.get(at++));
    }

    /** Alternatives of other revisions are read past: what they name need not exist in this one. */
    private Shape union() {
        List<Shape> shapes = new ArrayList<>();
        do {
            int start = at;
            skip();
            int end = at;
            boolean wanted = inForce();
            int after = at;
            if (wanted) {
                at = start;
                shapes.add(single());
                at = after;
            } else {
                at = Math.max(end, after);
            }
        } while (take("|"));
        Set<String> words = new LinkedHashSet<>();
        shapes.forEach(shape -> words.addAll(shape instanceof Shape.Words some ? some.words() : Set.of()));
        boolean onlyWords = shapes.stream().allMatch(Shape.Words.class::isInstance);
        return onlyWords ? new Shape.Words(words) : shapes.size() == 1 ? shapes.get(0) : new Shape.AnyOf(flat(shapes));
    }

    private static List<Shape> flat(List<Shape> shapes) {
        return shapes.stream().flatMap(shape -> shape instanceof Shape.AnyOf some ? some.shapes().stream() : java.util.stream.Stream.of(shape)).toList();
    }

    /** Past one type, brackets and all. */
    private void skip() {
        int depth = 0;
        do {
            String token = tokens.get(at++);
            depth += "[<{".contains(token) ? 1 : "]>}".contains(token) ? -1 : 0;
        } while (depth > 0);
    }

    private Shape single() {
        String token = tokens.get(at++);
        if (token.equals("[")) {
            Shape item = union();
            expect("]");
            return new Shape.ListOf(item);
        } else if (token.equals("<")) {
            Shape member = union();
            expect(">");
            return new Shape.MapOf(member);
        } else if (token.equals("{")) {
            return members();
        } else if (token.startsWith("\"")) {
            return new Shape.Words(Set.of(token.substring(1, token.length() - 1)));
        }
        for (Shape.Kind kind : Shape.Kind.values()) {
            if (kind.word().equals(token)) {
                return new Shape.Plain(kind);
            }
        }
        if (!definitions.containsKey(token)) {
            throw new IllegalStateException(FILE + ": " + letter + " has no " + token);
        }
        return named(token);
    }

    private Shape members() {
        Map<String, Shape.Member> out = new LinkedHashMap<>();
        while (!take("}")) {
            if (take("..")) {
                out.putAll(((Shape.Members) single()).members());
            } else {
                String name = tokens.get(at++);
                boolean optional = take("?");
                boolean wanted = inForce();
                expect(":");
                if (wanted) {
                    out.put(name, new Shape.Member(!optional, union()));
                } else {
                    do {
                        skip();
                        inForce();
                    } while (take("|"));
                }
            }
            take(",");
        }
        return new Shape.Members(out);
    }
}
