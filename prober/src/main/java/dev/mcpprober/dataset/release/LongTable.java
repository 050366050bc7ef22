package dev.mcpprober.dataset.release;

/** Numbers of 64 bits, each with another one, in twenty-four to forty-eight bytes: boxed, the keys of a large release would not fit. */
final class LongTable {
    private long[] keys = new long[1 << 10];
    private long[] values = new long[1 << 10];
    private int size;

    /** True when it was not there. */
    boolean add(long key) {
        return put(key, 0);
    }

    /** Keeps the first value of a key; true when it was not there. */
    boolean put(long key, long value) {
        if (size * 3 > keys.length * 2) {
            grow();
        }
        int at = place(key);
        if (keys[at] != 0) {
            return false;
        }
        keys[at] = nonZero(key);
        values[at] = value;
        size++;
        return true;
    }

    boolean contains(long key) {
        return keys[place(key)] != 0;
    }

    /** 0 where it is not there. */
    long get(long key) {
        int at = place(key);
        return keys[at] == 0 ? 0 : values[at];
    }

    /** Zero marks an empty place, so that the key zero shares one with the key one. */
    private static long nonZero(long key) {
        return key == 0 ? 1 : key;
    }

    private int place(long key) {
        long wanted = nonZero(key);
        int at = (int) (wanted * 0x9E3779B97F4A7C15L >>> 32) & keys.length - 1;
        while (keys[at] != 0 && keys[at] != wanted) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new long[keys.length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                put(oldKeys[i], oldValues[i]);
            }
        }
    }
}
