package dev.mcpprober.sandbox.docker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sums with IPv4 addresses as text; never looks anything up. */
final class Ipv4 {
    private static final Pattern ADDRESS = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    private Ipv4() {}

    /** Whether {@code address} is one of {@code subnet} ({@code a.b.c.d/n}); false for anything malformed. */
    static boolean within(String address, String subnet) {
        int slash = subnet.indexOf('/');
        long ip = parse(address);
        long net = slash < 0 ? -1 : parse(subnet.substring(0, slash));
        if (ip < 0 || net < 0) {
            return false;
        }
        int bits = Integer.parseInt(subnet.substring(slash + 1));
        long mask = bits == 0 ? 0 : (0xFFFFFFFFL << (32 - bits)) & 0xFFFFFFFFL;
        return (ip & mask) == (net & mask);
    }

    private static long parse(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches()) {
            return -1;
        }
        long value = 0;
        for (int i = 1; i <= 4; i++) {
            int part = Integer.parseInt(matcher.group(i));
            if (part > 255) {
                return -1;
            }
            value = value << 8 | part;
        }
        return value;
    }
}
