package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadGateTest {
    private static final HostLoad IDLE = new HostLoad(Optional.of(3.0), 0.2);
    private static final HostLoad BUSY = new HostLoad(Optional.of(95.0), 4);

    @Test
    void aHostIsOverloadedWhenMuchWaitsAndItIsNotOnlyALittle() {
        assertFalse(IDLE.overloaded());
        assertTrue(BUSY.overloaded());
        assertFalse(new HostLoad(Optional.of(99.0), 1.1).overloaded(), "on many processors something always waits");
        assertFalse(new HostLoad(Optional.of(10.0), 9).overloaded(), "what waits for disks counts as load too");
        assertTrue(new HostLoad(Optional.empty(), 2.5).overloaded());
        assertFalse(new HostLoad(Optional.empty(), 1.5).overloaded());
        assertFalse(new HostLoad(Optional.empty(), -1).overloaded(), "not known");
    }

    @Test
    void oneAlwaysWorks() {
        assertTrue(LoadGate.mayBegin(BUSY, 0, true));
        assertFalse(LoadGate.mayBegin(BUSY, 1, false));
        assertTrue(LoadGate.mayBegin(IDLE, 7, false));
        assertFalse(LoadGate.mayBegin(IDLE, 7, true), "one after the other, so that the load can tell");
    }

    @Test
    void whoWaitedGoesOnWhenTheOneThatWorksHasEnded() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        LoadGate gate = new LoadGate(() -> BUSY, Duration.ofMillis(20), said::add);
        gate.enter();
        CountDownLatch in = new CountDownLatch(1);
        Thread second = new Thread(() -> {
            try {
                gate.enter();
                in.countDown();
            } catch (InterruptedException e) {
                return;
            }
        });
        second.start();
        while (said.isEmpty()) {
            Thread.sleep(5);
        }
        assertEquals(1, in.getCount());
        gate.leave();
        in.await();
        second.join();
        assertEquals(1, said.size());
        assertTrue(said.get(0).contains("95 % of the time, a load of 4.0"), said.get(0));
    }
}
