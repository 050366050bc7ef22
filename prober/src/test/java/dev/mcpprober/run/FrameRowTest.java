package dev.mcpprober.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.corpus.FrameReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FrameRowTest {
    @TempDir Path temp;

    /** Of every way of writing a target: else a sound run would look like a tampered one. */
    @Test
    void aRowSaysWhatItsTargetIs() throws Exception {
        Path file = temp.resolve("frame.csv");
        Files.writeString(file, "target,args,env,note\nnpm:@s/x@1.0.0,,,\nnpm:@s/x@1.0.0,\"[\"\"a b\"\",\"\"\"\"]\",\"{\"\"K\"\":\"\"v\"\"}\",n\npypi:My_Pkg==1.0.0,,,\npkg:npm/%40s/y@2.0.0-rc.1,,,\n"
                + "npm:left~pad,,,\npkg:pypi/x@1!2.0+local,,,\n./a/b/,,,\n../c d,\"[\"\"-x\"\"]\",,\n/abs/é,,,\nnonsense,,,\nnpm:left~pad,,,again\n");
        List<FrameRow> rows = FrameReader.read(file).rows().stream().map(FrameRow::of).toList();
        assertEquals(11, rows.size());
        assertEquals(2, rows.stream().filter(row -> !row.excluded().isEmpty()).count());
        rows.forEach(row -> assertEquals(row.target(), row.id()));
    }
}
