package dev.mcpprober.redaction;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;

/**
 * One rule in gitleaks' sense.
 *
 * @param id          goes into what is put in the place of a secret
 * @param regex       of the engine that is linear in the length of the text, whatever the expression
 * @param secretGroup the group that is the secret; 0 for the first one that took part, the whole match where there is none
 * @param entropy     bits a character that a secret has to have more than; 0 for any
 * @param keywords    lower case; the expression is tried only near one of them, everywhere where there are none
 * @param allowances  what is no secret all the same
 */
record CredentialRule(String id, Pattern regex, int secretGroup, double entropy, List<String> keywords, List<Allowance> allowances) {
    CredentialRule {
        keywords = List.copyOf(keywords);
        allowances = List.copyOf(allowances);
    }

    /** Takes where a secret stands, and tells how far it was of use; the search goes on there. */
    interface Found {
        int secret(int start, int end);
    }

    void find(String text, List<Allowance> common, Found found) {
        Matcher matcher = regex.matcher(text);
        int at = 0;
        while (at <= text.length() && matcher.find(at)) {
            int group = group(matcher);
            String secret = matcher.group(group);
            int next = matcher.end();
            if ((entropy == 0 || entropy(secret) > entropy) && !allowed(common, matcher, secret, text) && !allowed(allowances, matcher, secret, text)) {
                next = Math.min(next, found.secret(matcher.start(group), matcher.end(group)));
            }
            at = Math.max(next, matcher.start() + 1);
        }
    }

    private int group(Matcher matcher) {
        if (secretGroup > 0) {
            return matcher.group(secretGroup) == null ? 0 : secretGroup;
        }
        for (int i = 1; i <= matcher.groupCount(); i++) {
            if (matcher.group(i) != null && !matcher.group(i).isEmpty()) {
                return i;
            }
        }
        return 0;
    }

    private boolean allowed(List<Allowance> all, Matcher matcher, String secret, String text) {
        for (Allowance allowance : all) {
            if (allowance.covers(id, secret, matcher.group(), () -> line(text, matcher.start(), matcher.end()))) {
                return true;
            }
        }
        return false;
    }

    private static String line(String text, int start, int end) {
        int from = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
        int to = text.indexOf('\n', end);
        return text.substring(Math.min(from, start), to < 0 ? text.length() : to);
    }

    /** Shannon's, in bits a character. */
    static double entropy(String text) {
        int[] counts = new int[256];
        for (int i = 0; i < text.length(); i++) {
            counts[text.charAt(i) & 0xff]++;
        }
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / text.length();
                bits -= share * Math.log(share) / Math.log(2);
            }
        }
        return bits;
    }
}
