package dev.mcpprober.census.queue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The PostgreSQL database that holds the queue of a census: units (one target each), attempts, and which attempt stands for a unit. Its
 * tables are made on the first use.
 */
public final class QueueDatabase implements AutoCloseable {
    /** Heartbeats are told by each worker's own clock. */
    private static final Duration MAX_SKEW = Duration.ofSeconds(5);
    private static final String[] LIMITS = {"socketTimeout=15", "connectTimeout=5", "tcpKeepAlive=true"};
    private static final long SETUP_LOCK = 0x6d63702d70726f62L;

    private static final List<String> TABLES = List.of(
            "create table if not exists run (run_id text primary key, info text not null)",
            "create table if not exists unit (run_id text not null, target text not null, entry text not null, primary key (run_id, target))",
            "create table if not exists attempt (run_id text not null, target text not null, number int not null, worker text not null,"
                    + " started_at timestamptz not null, ended_at timestamptz, outcome text, archive bytea, primary key (run_id, target, number))",
            "create table if not exists result (run_id text not null, target text not null, number int not null, primary key (run_id, target))",
            "create table if not exists scheduled_tasks (task_name text not null, task_instance text not null, task_data bytea,"
                    + " execution_time timestamptz not null, picked boolean not null, picked_by text, last_success timestamptz, last_failure timestamptz,"
                    + " consecutive_failures int, last_heartbeat timestamptz, version bigint not null, priority smallint,"
                    + " primary key (task_name, task_instance))",
            "create index if not exists execution_time_idx on scheduled_tasks (execution_time)",
            "create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat)",
            "create index if not exists priority_execution_time_idx on scheduled_tasks (priority desc, execution_time asc)");

    private final HikariDataSource pool;

    private QueueDatabase(HikariDataSource pool) {
        this.pool = pool;
    }

    /**
     * @param url {@code jdbc:postgresql://…}; user and password in it or in libpq's PGUSER and PGPASSWORD
     * @throws QueueException when it cannot be reached, is no PostgreSQL, or its clock and this machine's differ
     */
    public static QueueDatabase open(String url, int connections) throws QueueException {
        return open(url, connections, Clock.systemUTC());
    }

    /** Why an address can be none of a queue, or empty. */
    public static Optional<String> problem(String url) {
        if (!url.startsWith("jdbc:postgresql:")) {
            return Optional.of("only PostgreSQL is supported, written jdbc:postgresql://HOST/DATABASE");
        }
        if (url.matches("[^?]*//[^/?]*@.*")) {
            return Optional.of("user and password do not belong before the host; set PGUSER and PGPASSWORD, or ?user=…&password=…");
        }
        return Optional.empty();
    }

    /** @param clock this machine's */
    public static QueueDatabase open(String url, int connections, Clock clock) throws QueueException {
        if (problem(url).isPresent()) {
            throw new QueueException("--queue: " + problem(url).get());
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(withLimits(url));
        if (!url.contains("user=")) {
            config.setUsername(System.getenv().getOrDefault("PGUSER", System.getProperty("user.name")));
            config.setPassword(System.getenv("PGPASSWORD"));
        }
        config.setMaximumPoolSize(Math.max(4, connections));
        config.setConnectionTimeout(10_000);
        config.setInitializationFailTimeout(10_000);
        config.setPoolName("queue");
        HikariDataSource pool;
        try {
            pool = new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new QueueException("the queue's database " + shown(url) + " cannot be reached: " + root(e));
        }
        QueueDatabase database = new QueueDatabase(pool);
        boolean ready = false;
        try {
            database.prepare(url, clock);
            ready = true;
            return database;
        } finally {
            if (!ready) {
                database.close();
            }
        }
    }

    private void prepare(String url, Clock clock) throws QueueException {
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // Two programs that make the same table at the same time would make one of them fail.
            statement.execute("select pg_advisory_xact_lock(" + SETUP_LOCK + ")");
            for (String sql : TABLES) {
                statement.execute(sql);
            }
            connection.commit();
            connection.setAutoCommit(true);
            skew(statement, clock);
        } catch (SQLException e) {
            throw new QueueException("the queue's database " + shown(url) + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void skew(Statement statement, Clock clock) throws SQLException, QueueException {
        Instant before = clock.instant();
        try (ResultSet now = statement.executeQuery("select clock_timestamp()")) {
            now.next();
            Instant there = now.getTimestamp(1).toInstant();
            Instant after = clock.instant();
            Duration ahead = Duration.between(after, there);
            Duration behind = Duration.between(there, before);
            if (ahead.compareTo(MAX_SKEW) > 0 || behind.compareTo(MAX_SKEW) > 0) {
                Duration skew = ahead.isNegative() ? behind : ahead;
                throw new QueueException("this machine's clock and the database's differ by " + skew.toSeconds()
                        + " s; more than " + MAX_SKEW.toSeconds() + " s would make living workers look dead. Set the clocks (NTP).");
            }
        }
    }

    DataSource source() {
        return pool;
    }

    /** Without these a cut connection hangs until TCP gives up. */
    static String withLimits(String url) {
        StringBuilder out = new StringBuilder(url);
        for (String limit : LIMITS) {
            if (!url.contains(limit.substring(0, limit.indexOf('=') + 1))) {
                out.append(out.indexOf("?") < 0 ? '?' : '&').append(limit);
            }
        }
        return out.toString();
    }

    /** The address without what may be secret. */
    static String shown(String url) {
        return url.replaceFirst("\\?.*", "");
    }

    private static String root(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    @Override
    public void close() {
        pool.close();
    }
}
