package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.Before;
import dev.mcpprober.cli.CommandLineWords;
import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.io.Utf8;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.local.LocalEngine;
import dev.mcpprober.session.LineSplitter;
import dev.mcpprober.toolfailure.relay.Relay;
import dev.mcpprober.toolfailure.wire.Lines;
import dev.mcpprober.toolfailure.wire.Lines.Arrival;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prober toolfailure relay}: stands between a client and a server on this host, as a server towards the client. */
@Command(name = "relay", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Relay stdio between a client and a server, keeping what a relay must keep.",
        footer = {"", "It ends when its stdin does, or with status 1 when the server does."})
final class RelayCommand implements Callable<Integer> {
    private static final int LINE_BYTES = 24 << 20;
    private static final int READ_BYTES = 64 << 10;
    private static final Duration TICK = Duration.ofMillis(5);
    private static final Duration IDLE_TICK = Duration.ofMillis(100);
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final String END = new String("end of input");

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--cmd", required = true, paramLabel = "COMMAND", description = "The server, run on this host without isolation.")
    String command;

    /** Lines of the client; bounded, so that a client that writes faster than the server reads has to wait. */
    private final BlockingQueue<String> fromClient = new ArrayBlockingQueue<>(64);
    private final Relay relay = new Relay();
    private PrintWriter out;
    private PrintWriter err;
    private Lines server;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        out = spec.commandLine().getOut();
        err = spec.commandLine().getErr();
        List<String> argv = CommandLineWords.split(command);
        Before.canBeRun("--cmd", argv.get(0));
        try (LocalEngine engine = new LocalEngine();
                Lines opened = new StdioLines(engine.create(ServerOptions.onHost(argv, System.getenv())), this::log)) {
            server = opened;
            Thread reader = new Thread(() -> read(System.in), "relay-stdin");
            reader.setDaemon(true);
            reader.start();
            return relayed();
        }
    }

    private int relayed() throws IOException, InterruptedException {
        boolean open = true;
        long until = Long.MAX_VALUE;
        boolean busy = true;
        while (open || System.nanoTime() < until) {
            String line = open ? fromClient.poll(busy ? 0 : TICK.toNanos(), TimeUnit.NANOSECONDS) : null;
            if (line == END) {
                open = false;
                until = System.nanoTime() + GRACE.toNanos();
                server.endInput();
            } else if (line != null) {
                carry(relay.fromClient(line));
            }
            Arrival arrival = server.next(line != null ? Duration.ZERO : open ? TICK : IDLE_TICK);
            busy = line != null || !(arrival instanceof Arrival.Nothing);
            if (arrival instanceof Arrival.Line text) {
                carry(relay.fromServer(text.text()));
            } else if (arrival instanceof Arrival.Unreadable unreadable) {
                note("dropped a line of the server: " + unreadable.why());
            } else if (arrival instanceof Arrival.Ended ended) {
                carry(relay.serverEnded(ended.how()));
                note(ended.how());
                return open ? ExitCode.FAILED : ExitCode.DONE;
            }
        }
        return ExitCode.DONE;
    }

    private void carry(List<Relay.Output> outputs) {
        for (Relay.Output output : outputs) {
            if (output instanceof Relay.Output.ToServer line) {
                server.send(line.line());
            } else if (output instanceof Relay.Output.ToClient line) {
                // Never println: its line end is the platform's.
                out.print(line.line() + "\n");
                out.flush();
            } else if (output instanceof Relay.Output.Note text) {
                note(text.text());
            }
        }
    }

    private void read(InputStream in) {
        LineSplitter lines = new LineSplitter(LINE_BYTES);
        byte[] buffer = new byte[READ_BYTES];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                lines.feed(Arrays.copyOf(buffer, count), this::take);
            }
            lines.rest(this::take);
            fromClient.put(END);
        } catch (IOException e) {
            note("stdin cannot be read: " + e.getMessage());
            fromClient.offer(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(LineSplitter.Line line) {
        long length = line.length();
        byte[] bytes = line.bytes();
        if (bytes.length < length || Utf8.firstFault(bytes, 0, bytes.length) >= 0) {
            note("dropped a line of the client: " + (bytes.length < length ? length + " bytes" : "no UTF-8"));
            return;
        }
        try {
            fromClient.put(new String(bytes, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The server's stderr is this program's too, but escaped: it may be a terminal's. */
    private void log(String line) {
        err.println(Printable.text(line, 4000));
    }

    private void note(String text) {
        err.println("prober relay: " + Printable.text(text, 1000));
    }
}
