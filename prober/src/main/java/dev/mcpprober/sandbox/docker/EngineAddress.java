package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where the engine listens: a unix socket, or TCP without TLS.
 *
 * @param uri        as docker-java wants it
 * @param unixSocket null for TCP
 * @param host       null for a unix socket
 */
record EngineAddress(URI uri, Path unixSocket, String host, int port) {
    private static final String DEFAULT = "unix:///var/run/docker.sock";
    private static final int DEFAULT_PORT = 2375;
    private static final int CONNECT_MILLIS = 10_000;

    /** {@code DOCKER_HOST}, else the default socket. Contexts of the docker command are not looked at. */
    static EngineAddress of(Map<String, String> environment) throws EngineException {
        String text = environment.getOrDefault("DOCKER_HOST", "").trim();
        boolean tls = !environment.getOrDefault("DOCKER_TLS_VERIFY", "").isEmpty();
        return parse(text.isEmpty() ? DEFAULT : text, tls);
    }

    static EngineAddress parse(String text, boolean tls) throws EngineException {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw unusable(text, "is not an address");
        }
        String scheme = String.valueOf(uri.getScheme());
        if (scheme.equals("unix") && uri.getPath() != null && uri.getPath().startsWith("/") && uri.getHost() == null) {
            return new EngineAddress(uri, Path.of(uri.getPath()), null, 0);
        }
        if (scheme.equals("tcp") && uri.getHost() != null && (uri.getPath().isEmpty() || uri.getPath().equals("/"))) {
            if (tls) {
                throw unusable(text, "with DOCKER_TLS_VERIFY asks for TLS, which the prober does not speak; tunnel it to a unix socket"
                        + " (ssh -L /tmp/engine.sock:/var/run/docker.sock HOST) and set DOCKER_HOST=unix:///tmp/engine.sock");
            }
            int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
            String bare = uri.getHost().replaceAll("^\\[|]$", "");
            return new EngineAddress(URI.create("tcp://" + uri.getHost() + ":" + port), null, bare, port);
        }
        throw unusable(text, "is of a kind that cannot be used; unix:///path/to/socket and tcp://host:port can");
    }

    private static EngineException unusable(String text, String why) {
        return new EngineException(new Fault.EngineUnavailable("DOCKER_HOST=" + text + " " + why));
    }

    boolean isUnix() {
        return unixSocket != null;
    }

    /** For the Host header. */
    String httpHost() {
        return isUnix() ? "docker" : uri.getAuthority();
    }

    /** A blocking connection, or the fault that says what stands in its way. */
    SocketChannel connect() throws EngineException {
        try {
            if (isUnix()) {
                return SocketChannel.open(UnixDomainSocketAddress.of(unixSocket));
            }
            SocketChannel channel = SocketChannel.open(host.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.socket().connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
                return channel;
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | UnresolvedAddressException e) {
            throw new EngineException(connectFault(e), e);
        }
    }

    private Fault connectFault(Exception e) {
        if (e instanceof ClosedByInterruptException) {
            return EngineCalls.interrupted("connect");
        }
        if (!isUnix()) {
            return new Fault.EngineUnavailable("no engine answers at " + uri + " (" + e.getMessage() + ")");
        }
        // A socket that cannot be written gives BindException on JDK 17; a closed parent folder looks like a missing socket.
        if (Files.exists(unixSocket) && !(Files.isWritable(unixSocket) && Files.isReadable(unixSocket))) {
            return new Fault.EngineForbidden("the engine's socket " + unixSocket + " is there, but this user may not use it;"
                    + " join its group and log in again (sudo usermod -aG docker $USER), or run as root");
        }
        String state = Files.exists(unixSocket) ? "its socket is there, but nothing listens on it" : "there is no such socket";
        return new Fault.EngineUnavailable("no engine answers on " + unixSocket + ": " + state + " (" + e.getMessage() + ")");
    }
}
