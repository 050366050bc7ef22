package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EngineCallsTest {
    private static Fault faultOf(RuntimeException failure) {
        return assertThrows(EngineException.class, () -> EngineCalls.call("commit", () -> {
            throw failure;
        })).fault();
    }

    @Test
    void theEnginesOwnTextIsKeptWithoutWrapping() {
        assertEquals(new Fault.EngineError("commit", "No such container: x (HTTP 404)"),
                faultOf(new NotFoundException("{\"message\":\"No such container: x\"}\n")));
        assertEquals(new Fault.EngineError("commit", "not json { (HTTP 500)"), faultOf(new InternalServerErrorException("not json {")));
    }

    @Test
    void controlCharactersDoNotPass() {
        assertEquals(new Fault.EngineError("commit", "a\\u001b[2Jb (HTTP 500)"),
                faultOf(new InternalServerErrorException("{\"message\":\"a\\u001b[2Jb\"}")));
    }

    @Test
    void aFullDiskIsToldByTheEnginesServerError() {
        assertInstanceOf(Fault.HostDiskFull.class,
                faultOf(new InternalServerErrorException("{\"message\":\"write /var/lib/x: no space left on device\"}")));
        assertInstanceOf(Fault.EngineError.class, faultOf(new NotFoundException("no such file: no space left on device")),
                "a name in a refusal says nothing of the disk");
    }

    @Test
    void aConnectionFailureIsAnEngineThatDoesNotAnswer() {
        assertInstanceOf(Fault.EngineUnavailable.class, faultOf(new RuntimeException(new ConnectException("Connection refused"))));
        assertInstanceOf(Fault.EngineUnavailable.class, faultOf(new RuntimeException(new RuntimeException(new IOException("Broken pipe")))));
        assertInstanceOf(Fault.EngineForbidden.class, faultOf(new RuntimeException(new BindException("Permission denied"))));
        assertInstanceOf(Fault.EngineError.class, faultOf(new RuntimeException(new SocketTimeoutException("Read timed out"))));
    }

    @Test
    void aThreadThatIsToldToStopIsNoFaultOfTheEngine() {
        assertInstanceOf(Fault.Interrupted.class, faultOf(new RuntimeException(new ClosedByInterruptException())));
    }

    @Test
    void whatIsMadeIsKnownEvenToAThreadThatIsToldToStop() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        AtomicReference<String> id = new AtomicReference<>();
        AtomicBoolean told = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            try {
                id.set(EngineCalls.whole("create", () -> {
                    asked.countDown();
                    try {
                        made.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("the call itself was told to stop", e);
                    }
                    return "new";
                }));
            } catch (EngineException e) {
                id.set(e.toString());
            }
            told.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        asked.await();
        caller.interrupt();
        long begin = System.nanoTime();
        EngineCalls.awaitWhole(Duration.ofMillis(50));
        assertTrue(System.nanoTime() - begin >= Duration.ofMillis(50).toNanos(), "it is under way");
        assertTrue(caller.isAlive());
        made.countDown();
        EngineCalls.awaitWhole(Duration.ofMinutes(1));
        caller.join();
        assertEquals("new", id.get());
        assertTrue(told.get(), "it goes on being told to stop");
    }

    @Test
    void whatFailsAsAWholeFailsAsUsual() {
        assertEquals(new Fault.EngineError("create", "no (HTTP 500)"), assertThrows(EngineException.class, () -> EngineCalls.whole("create", () -> {
            throw new InternalServerErrorException("no");
        })).fault());
        IllegalArgumentException mistake = new IllegalArgumentException("ours");
        assertSame(mistake, assertThrows(IllegalArgumentException.class, () -> EngineCalls.whole("create", () -> {
            throw mistake;
        })));
    }

    @Test
    void aCallIntoAClosedEngineIsAnInterruption() {
        assertInstanceOf(Fault.Interrupted.class, faultOf(new IllegalStateException("Connection pool shut down")));
    }

    @Test
    void ourOwnMistakesAreNotTheEngines() {
        IllegalArgumentException mistake = new IllegalArgumentException("image was not specified");
        assertSame(mistake, assertThrows(IllegalArgumentException.class, () -> EngineCalls.call("create", () -> {
            throw mistake;
        })));
    }
}
