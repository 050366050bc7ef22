package dev.mcpprober.redaction;

import dev.mcpprober.io.Digests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redaction of one document, line by line. A line that is JSON stays JSON with the same structure: within strings whole characters are
 * replaced, digits outside by nines. For use by one thread.
 */
public final class Redaction {
    static final String OVER_BUDGET = "not-examined";
    /** A longer line is looked through piece by piece. */
    private static final int WINDOW = 256 << 10;
    /** Pieces share so much, which is as long as a secret may be. */
    private static final int OVERLAP = 16 << 10;
    /** Around a keyword, what a rule is tried on, and to the ends of the words there: expressions are slow, and their keyword is in what they match. */
    private static final int BEFORE = 96;
    private static final int AFTER = 192;
    private static final String LONG_KEYWORD = "-----begin";
    /** Bytes that rules are tried on within a document; beyond, whatever could be a secret near a keyword goes. */
    private static final long BUDGET = 12 << 20;
    private static final int MAX_NUMBERED = 4096;
    private static final int MIN_CUT_OFF = 6;
    private static final int MAX_CUT_OFF = 512;
    private static final String MARK = "[REDACTED:";
    private static final Pattern MARKER = Pattern.compile("\\[REDACTED:([A-Za-z0-9][A-Za-z0-9_.-]{0,79}?)(?:-\\d{1,4})?\\]");
    private static final Pattern RUN = Pattern.compile("(?=[^0-9\\s]{0,256}[0-9])[A-Za-z0-9_+/=.-]{16,}+");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_+.-]+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d[0-9.eE+-]*");
    private static final Pattern KEY_BEGIN = Pattern.compile("-----BEGIN[ A-Z0-9_-]{0,80}PRIVATE KEY(?: BLOCK)?-----");
    private static final Pattern KEY_LINE = Pattern.compile("\\s*(?=[^\\s]*[A-Za-z+/])[A-Za-z0-9+/]{1,100}={0,2}\\s*|\\s*[A-Za-z-]{4,20}: .{0,80}|\\s*");

    private final Redactor redactor;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, byte[]> markers = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private long spent;
    private boolean inKey;

    Redaction(Redactor redactor) {
        this.redactor = redactor;
    }

    /** What was replaced so far, by id and how often. */
    public Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    /** A text, JSON or not. */
    public String text(String text) {
        if (text == null || text.isEmpty() || redactor.idle()) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] redacted = whole(bytes, JsonView.looksLikeJson(bytes), false, false);
        return redacted == bytes ? text : new String(redacted, StandardCharsets.UTF_8);
    }

    /** A text whose beginning was cut off, and perhaps a secret with it. */
    public String tail(String text) {
        if (text == null || text.isEmpty() || redactor.idle()) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] redacted = whole(bytes, false, true, false);
        return redacted == bytes ? text : new String(redacted, StandardCharsets.UTF_8);
    }

    /**
     * One line that was sent or received; the same array where there is nothing to take out.
     *
     * @param cut its end is missing
     */
    public byte[] line(byte[] bytes, boolean cut) {
        if (redactor.idle()) {
            return bytes;
        }
        if (inKey && !JsonView.looksLikeJson(bytes)) {
            String line = new String(bytes, 0, Math.min(bytes.length, 256), StandardCharsets.ISO_8859_1);
            inKey = bytes.length <= 256 && KEY_LINE.matcher(line).matches();
            if (inKey && !line.isBlank()) {
                count("private-key");
                return marker("private-key", 1);
            }
        }
        byte[] out = whole(bytes, JsonView.looksLikeJson(bytes), false, cut);
        if (!inKey && bytes.length <= 256) {
            String line = new String(bytes, StandardCharsets.ISO_8859_1);
            inKey = line.contains("-----BEGIN") && KEY_BEGIN.matcher(line).find() && !line.contains("-----END");
        }
        return out;
    }

    /**
     * Pieces of one stream of text, so that a secret is found that one piece begins and the next one ends.
     *
     * @param gapBefore whether bytes between a piece and the one before it are missing
     */
    public List<byte[]> pieces(List<byte[]> pieces, List<Boolean> gapBefore) {
        List<byte[]> out = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= pieces.size(); i++) {
            if (i == pieces.size() || gapBefore.get(i)) {
                out.addAll(joined(pieces.subList(from, i), gapBefore.get(from), i < pieces.size()));
                from = i;
            }
        }
        return out;
    }

    private List<byte[]> joined(List<byte[]> pieces, boolean cutStart, boolean cutEnd) {
        byte[] all = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        List<Cut> cuts = cuts(all, false, cutStart, cutEnd);
        List<byte[]> out = new ArrayList<>();
        int start = 0;
        for (byte[] piece : pieces) {
            out.add(cuts.isEmpty() ? piece : Cut.apply(all, start, start + piece.length, cuts));
            start += piece.length;
        }
        return out;
    }

    private byte[] whole(byte[] bytes, boolean json, boolean cutStart, boolean cutEnd) {
        List<Cut> cuts = cuts(bytes, json, cutStart, cutEnd);
        return cuts.isEmpty() ? bytes : Cut.apply(bytes, 0, bytes.length, cuts);
    }

    private List<Cut> cuts(byte[] bytes, boolean json, boolean cutStart, boolean cutEnd) {
        if (redactor.idle()) {
            return List.of();
        }
        List<Cut> cuts = new ArrayList<>();
        int start = 0;
        boolean open = false;
        while (true) {
            int end = Math.min(bytes.length, start + WINDOW);
            int next = end == bytes.length ? end : end - OVERLAP;
            JsonView view = json ? JsonView.json(bytes, start, end, open, next) : JsonView.plain(bytes, start, end, next);
            new Search(bytes, view, cuts).run(cutStart && start == 0, cutEnd && end == bytes.length);
            if (end == bytes.length) {
                break;
            }
            start = view.nextStart();
            open = view.nextInside();
        }
        // What keeps a line from being JSON stays in it.
        List<Cut> merged = Cut.merged(cuts).stream().map(cut -> json ? cut.followedBy(JsonView.fault(bytes, cut.from(), cut.to())) : cut).toList();
        merged.stream().filter(cut -> !cut.id().isEmpty()).forEach(cut -> count(cut.id()));
        return merged;
    }

    private void count(String id) {
        counts.merge(id, 1, Integer::sum);
    }

    /** One array for each, however often it stands. */
    private byte[] marker(String id, int number) {
        return markers.computeIfAbsent(id + (number == 1 ? "" : "-" + number), text -> (MARK + text + "]").getBytes(StandardCharsets.ISO_8859_1));
    }

    private int number(String id, String secret) {
        if (id.equals(OVER_BUDGET)) {
            return 1;
        }
        String key = id + " " + (secret.length() > 64 ? Digests.sha256(secret) : secret);
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        if (numbers.size() >= MAX_NUMBERED) {
            return 1;
        }
        int next = numbers.merge(id, 1, Integer::sum);
        numbers.put(key, next);
        return next;
    }

    /** The search of one view. */
    private final class Search {
        private final byte[] bytes;
        private final JsonView view;
        private final String text;
        private final List<Cut> cuts;
        /** Where what is redacted already begins and ends. */
        private final TreeMap<Integer, Integer> done = new TreeMap<>();

        Search(byte[] bytes, JsonView view, List<Cut> cuts) {
            this.bytes = bytes;
            this.view = view;
            this.text = view.text();
            this.cuts = cuts;
        }

        void run(boolean cutStart, boolean cutEnd) {
            redactor.values().find(text, (word, end) -> {
                Known known = redactor.known().get(word);
                int from = end - known.value().length();
                if ((!known.alone() || alone(from, end)) && known.stands(text, from)) {
                    take(from, end, known.id(), marker(known.id(), 1));
                }
            });
            if (cutStart || cutEnd) {
                cutOff(cutStart, cutEnd);
            }
            if (text.contains(MARK)) {
                Matcher marks = MARKER.matcher(text);
                while (marks.find()) {
                    if (redactor.isId(marks.group(1))) {
                        done.put(marks.start(), marks.end());
                    }
                }
            }
            // In the order of the rules: of two that find the same, the first one names it.
            Map<Integer, List<int[]>> regions = new TreeMap<>();
            redactor.keywords().find(text, (word, end) -> {
                int from = Math.max(0, end - redactor.keywords().word(word).length() - BEFORE);
                int to = Math.min(text.length(), end + (redactor.keywords().word(word).startsWith(LONG_KEYWORD) ? OVERLAP : AFTER));
                redactor.byKeyword(word).forEach(rule -> region(regions.computeIfAbsent(rule, key -> new ArrayList<>()), from, to));
            });
            for (int i = 0; i < redactor.rules().size(); i++) {
                if (redactor.rules().get(i).keywords().isEmpty()) {
                    regions.put(i, List.of(new int[] {0, text.length()}));
                }
            }
            regions.forEach((rule, places) -> places.forEach(place -> search(redactor.rules().get(rule), place)));
        }

        private void region(List<int[]> places, int from, int to) {
            int[] last = places.isEmpty() ? null : places.get(places.size() - 1);
            if (last != null && from <= last[1]) {
                last[1] = Math.max(last[1], to);
            } else {
                places.add(new int[] {from, to});
            }
        }

        private void search(CredentialRule rule, int[] place) {
            int from = place[0];
            int to = place[1];
            // Not through the middle of a word: what is left of a token would stay.
            for (int i = 0; i < BEFORE && from > 0 && word(text.charAt(from - 1)); i++) {
                from--;
            }
            for (int i = 0; i < OVERLAP && to < text.length() && word(text.charAt(to)); i++) {
                to++;
            }
            spent += to - from;
            int offset = from;
            if (spent > BUDGET) {
                Matcher runs = RUN.matcher(text).region(from, to);
                while (runs.find()) {
                    found(OVER_BUDGET, runs.start(), runs.end());
                }
                return;
            }
            rule.find(text.substring(from, to), redactor.allowances(), (start, end) -> found(rule.id(), offset + start, offset + end) - offset);
        }

        /** No credential goes from one string of JSON into another: what is found in two is taken as far as the first one. */
        private int found(String id, int from, int whole) {
            int to = Math.min(from + 1, whole);
            while (to < whole && view.inString(to) == view.inString(from)) {
                to++;
            }
            Map.Entry<Integer, Integer> mark = done.lowerEntry(to);
            if (to > from && (mark == null || mark.getValue() <= from)) {
                take(from, to, id, marker(id, number(id, text.substring(from, to))));
            }
            return to;
        }

        private boolean alone(int from, int to) {
            return (from == 0 || !plainWord(text.charAt(from - 1))) && (to == text.length() || !plainWord(text.charAt(to)));
        }

        /** A known value that the edge of the text goes through. */
        private void cutOff(boolean start, boolean end) {
            for (Known known : redactor.known()) {
                int longest = Math.min(Math.min(known.value().length() - 1, text.length()), MAX_CUT_OFF);
                for (int length = longest; !known.alone() && length >= MIN_CUT_OFF; length--) {
                    if (end && text.endsWith(known.value().substring(0, length))) {
                        take(text.length() - length, text.length(), known.id(), marker(known.id(), 1));
                        break;
                    }
                }
                for (int length = longest; !known.alone() && length >= MIN_CUT_OFF && start; length--) {
                    if (text.startsWith(known.value().substring(known.value().length() - length))) {
                        take(0, length, known.id(), marker(known.id(), 1));
                        break;
                    }
                }
            }
        }

        private void take(int from, int to, String id, byte[] marker) {
            int at = from;
            while (at < to) {
                int end = at + 1;
                while (end < to && view.inString(end) == view.inString(at)) {
                    end++;
                }
                if (view.inString(at)) {
                    cut(at, end, id, marker);
                } else {
                    outside(at, end, id, marker);
                }
                at = end;
            }
        }

        /** Outside of strings, JSON has numbers, three words and signs; what else stands there makes the line no JSON, and stays that. */
        private void outside(int from, int to, String id, byte[] marker) {
            Matcher words = WORD.matcher(text).region(from, to);
            while (words.find()) {
                String word = words.group();
                if (NUMBER.matcher(word).matches()) {
                    cuts.add(new Cut(view.rawStart(words.start()), view.rawEnd(words.end()), word.replaceAll("\\d", "9").getBytes(StandardCharsets.ISO_8859_1), id));
                } else if (!word.equals("true") && !word.equals("false") && !word.equals("null")) {
                    cut(words.start(), words.end(), id, marker);
                }
            }
        }

        /** Whole characters of UTF-8 only: a rule may end in the middle of one. */
        private void cut(int from, int to, String id, byte[] marker) {
            int start = view.rawStart(from);
            int end = view.rawEnd(to);
            for (int i = 0; i < 3 && start > 0 && continues(start); i++) {
                start--;
            }
            for (int i = 0; i < 3 && end < bytes.length && continues(end); i++) {
                end++;
            }
            cuts.add(new Cut(start, end, marker, id));
        }

        private boolean continues(int at) {
            return (bytes[at] & 0xC0) == 0x80;
        }

        private boolean plainWord(char c) {
            return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_';
        }

        private boolean word(char c) {
            return plainWord(c) || c == '-' || c == '+' || c == '/' || c == '=' || c == '.';
        }
    }
}
