package dev.mcpprober.sandbox.docker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy on this machine that tunnels (CONNECT) for whoever knows the password. Sends every tunnel to 127.0.0.1. */
final class FakeProxy implements AutoCloseable {
    private static final String CREDENTIALS = "pu:p w";

    private final ServerSocket listener;
    private final List<String> tunnels = new CopyOnWriteArrayList<>();

    FakeProxy() throws IOException {
        listener = new ServerSocket(0);
        daemon(this::serve);
    }

    String url() {
        return "http://pu:p%20w@localhost:" + listener.getLocalPort();
    }

    /** What was asked for, {@code host:port}. */
    List<String> tunnels() {
        return tunnels;
    }

    private void serve() {
        try {
            while (true) {
                Socket client = listener.accept();
                daemon(() -> tunnel(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void tunnel(Socket client) {
        try (client) {
            BufferedReader reader = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1), 1);
            String request = reader.readLine();
            boolean known = false;
            for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                known |= line.equalsIgnoreCase("Proxy-Authorization: Basic "
                        + Base64.getEncoder().encodeToString(CREDENTIALS.getBytes(StandardCharsets.UTF_8)));
            }
            OutputStream out = client.getOutputStream();
            if (!known) {
                out.write("HTTP/1.0 407 who?\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            String target = request.split(" ")[1];
            tunnels.add(target);
            try (Socket server = new Socket("127.0.0.1", Integer.parseInt(target.replaceFirst(".*:", "")))) {
                out.write("HTTP/1.0 200 go on\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                daemon(() -> pump(server, client));
                pump(client, server);
            }
        } catch (IOException e) {
            // Either end went away.
        }
    }

    private static void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // Either end went away.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "fake-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
