package dev.mcpprober.toolfailure.client;

/** The two clocks of a client and its patience, so that tests need neither. */
public interface ClientClock {
    /** Milliseconds since 1970 by the wall clock, which may be set at any time. */
    long wallMillis();

    /** Nanoseconds by a clock that only runs forward, for limits. */
    long nanos();

    void sleep(long millis) throws InterruptedException;

    ClientClock SYSTEM = new ClientClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
            Thread.sleep(millis);
        }
    };
}
