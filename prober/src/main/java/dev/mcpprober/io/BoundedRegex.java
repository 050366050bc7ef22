package dev.mcpprober.io;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/** A pattern of a schema whose search costs {@link Work}: {@code ^(a+)+$} on a long text would never end. */
final class BoundedRegex implements RegularExpression {
    /** Of the validation under way in this thread; patterns are made by the library, which hands nothing through. */
    static final ThreadLocal<Work> WORK = new ThreadLocal<>();

    /** Characters read in one search; an honest one reads each a few times. */
    private static final long MAX_SEARCH = 1_000_000;

    private final Pattern pattern;

    BoundedRegex(String regex) {
        this.pattern = Pattern.compile(RegularExpressions.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(regex)));
    }

    @Override
    public boolean matches(String text) {
        return pattern.matcher(new Counted(text, new Work(MAX_SEARCH), WORK.get())).find();
    }

    /** The engine reads every character through this, the same one again each time it backtracks. */
    private record Counted(String text, Work search, Work all) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            search.spend(1);
            all.spend(1);
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
