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
    private int[] next = new int[SIGNS];
    /** State to the words that end there. */
    private final List<int[]> ends = new ArrayList<>();

    /**
     * @param words characters are bytes; no word is empty
     * @param ignoreCase of ASCII letters
     */
    public WordFinder(List<String> words, boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
        this.words = List.copyOf(words);
        ends.add(new int[0]);
        for (int i = 0; i < words.size(); i++) {
            put(words.get(i), i);
        }
        link();
    }

    private void put(String word, int number) {
        int state = 0;
        for (int i = 0; i < word.length(); i++) {
            int at = state * SIGNS + sign(word.charAt(i));
            if (next[at] == 0) {
                if ((ends.size() + 1) * SIGNS > next.length) {
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
        for (int sign = 0; sign < SIGNS; sign++) {
            if (next[sign] != 0) {
                queue.add(next[sign]);
            }
        }
        while (!queue.isEmpty()) {
            int state = queue.remove();
            for (int number : ends.get(fall[state])) {
                ends.set(state, with(ends.get(state), number));
            }
            for (int sign = 0; sign < SIGNS; sign++) {
                int at = state * SIGNS + sign;
                int instead = next[fall[state] * SIGNS + sign];
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
            state = next[state * SIGNS + sign(text.charAt(i))];
            for (int number : ends.get(state)) {
                hits.hit(number, i + 1);
            }
        }
    }

    private int sign(char c) {
        return ignoreCase && c >= 'A' && c <= 'Z' ? c + 0x20 : c & 0xff;
    }
}
