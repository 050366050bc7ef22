package dev.mcpprober.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuPressureTest {
    @Test
    void readsWhatTheKernelWrites() {
        assertEquals(Optional.of(new CpuPressure(60.82, 67899990L, 1.5)), CpuPressure.parse("some avg10=60.82 avg60=28.65 avg300=13.94 total=67899990\n"
                + "full avg10=1.00 avg60=0.00 avg300=0.00 total=5\n", 1.5));
        assertEquals(Optional.empty(), CpuPressure.parse("", 1));
        assertEquals(Optional.empty(), CpuPressure.parse("full avg10=1.00 avg60=0.00 avg300=0.00 total=5\n", 1));
    }
}
