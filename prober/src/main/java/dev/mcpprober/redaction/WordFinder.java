package dev.mcpprober.redaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/** Finds many words in one pass over a text of bytes (Aho and Corasick 1975). Words may overlap. */
public final class WordFinder {
    /** Takes the number of a word and where it ends. */
    public interface Hits {
        void hit(int word, int end);
    }

    private static final int SIGNS = 256;

    private final boolean ignoreCase;
    private final List<String> words;
    /** Sign to its place in a row of {@code next}; those that stand in no word share the first one, which leads back to the beginning. */
    private final int[] places = new int[SIGNS];
    private final int width;
    private int[] next;
    /** State to the words that end there. */
    private final List<int[]> ends = new ArrayList<>();

    /**
     * @param words characters are bytes; no word is empty
     * @param ignoreCase of ASCII letters
     */
    public WordFinder(List<String> words, boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
        this.words = List.copyOf(words);
        int signs = 1;
        for (String word : words) {
            for (int i = 0; i < word.length(); i++) {
                int sign = sign(word.charAt(i));
                places[sign] = places[sign] == 0 ? signs++ : places[sign];
            }
        }
        this.width = signs;
        this.next = new int[width];
        ends.add(new int[0]);
        for (int i = 0; i < words.size(); i++) {
            put(words.get(i), i);
        }
        link();
    }

    private void put(String word, int number) {
        int state = 0;
        for (int i = 0; i < word.length(); i++) {
            int at = state * width + places[sign(word.charAt(i))];
            if (next[at] == 0) {
                if ((ends.size() + 1) * width > next.length) {
                    next = Arrays.copyOf(next, next.length * 2);
                }
                next[at] = ends.size();
                ends.add(new int[0]);
            }
            state = next[at];
        }
        ends.set(state, with(ends.get(state), number));
    }

    private static int[] with(int[] numbers, int number) {
        int[] more = Arrays.copyOf(numbers, numbers.length + 1);
        more[numbers.length] = number;
        return more;
    }

    /** Turns the tree into an automaton: where a word breaks off, the longest end of it that begins another one goes on. */
    private void link() {
        int[] fall = new int[ends.size()];
        Queue<Integer> queue = new ArrayDeque<>();
        for (int place = 0; place < width; place++) {
            if (next[place] != 0) {
                queue.add(next[place]);
            }
        }
        while (!queue.isEmpty()) {
            int state = queue.remove();
            for (int number : ends.get(fall[state])) {
                ends.set(state, with(ends.get(state), number));
            }
            for (int place = 0; place < width; place++) {
                int at = state * width + place;
                int instead = next[fall[state] * width + place];
                if (next[at] == 0) {
                    next[at] = instead;
                } else {
                    fall[next[at]] = instead;
                    queue.add(next[at]);
                }
            }
        }
    }

    public boolean isEmpty() {
        return words.isEmpty();
    }

    public String word(int number) {
        return words.get(number);
    }

    public void find(String text, Hits hits) {
        if (words.isEmpty()) {
            return;
        }
        int state = 0;
        for (int i = 0; i < text.length(); i++) {
            state = next[state * width + places[sign(text.charAt(i))]];
            for (int number : ends.get(state)) {
                hits.hit(number, i + 1);
            }
        }
    }

    private int sign(char c) {
        return ignoreCase && c >= 'A' && c <= 'Z' ? c + 0x20 : c & 0xff;
    }
}
