package dev.mcpprober.census.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Json;
import dev.mcpprober.run.RunInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is asked of the queue's tables. Units are named by run and target. */
final class QueueTables {
    static final String MEASURED = "measured";
    static final String FAULTED = "faulted";
    static final String STOPPED = "stopped";
    static final String GAVE_UP = "gave-up";
    private static final String UNIQUE_VIOLATION = "23505";

    private final QueueDatabase database;

    QueueTables(QueueDatabase database) {
        this.database = database;
    }

    /** @param archive the unit's run folder, or null where the worker ended without handing one in */
    record Attempt(int number, String worker, String startedAt, String outcome, byte[] archive) {}

    record Counts(long units, long results, long attempts) {}

    void addRun(String runId, RunInfo info) throws SQLException {
        update("insert into run (run_id, info) values (?, ?) on conflict do nothing", runId, Json.write(Json.mapper().valueToTree(info)));
    }

    Optional<RunInfo> run(String runId) throws SQLException {
        try (Connection connection = database.source().getConnection(); PreparedStatement query = statement(connection, "select info from run where run_id = ?", runId);
                ResultSet rows = query.executeQuery()) {
            return rows.next() ? Optional.of(Json.mapper().readValue(rows.getString(1), RunInfo.class)) : Optional.empty();
        } catch (JsonProcessingException e) {
            throw new SQLException("run " + runId + " in the queue is not as this version writes it", e);
        }
    }

    void addUnit(String runId, FrameEntry entry) throws SQLException {
        update("insert into unit (run_id, target, entry) values (?, ?, ?) on conflict do nothing", runId, entry.id(), UnitEntries.write(entry));
    }

    Optional<FrameEntry> unit(String runId, String target) throws SQLException {
        try (Connection connection = database.source().getConnection();
                PreparedStatement query = statement(connection, "select entry from unit where run_id = ? and target = ?", runId, target);
                ResultSet rows = query.executeQuery()) {
            return rows.next() ? Optional.of(UnitEntries.read(rows.getString(1))) : Optional.empty();
        }
    }

    /** Books the start of an attempt and returns its number. */
    int begin(String runId, String target, String worker) throws SQLException {
        for (int tries = 0; ; tries++) {
            try (Connection connection = database.source().getConnection(); PreparedStatement insert = statement(connection,
                    "insert into attempt (run_id, target, number, worker, started_at) select ?, ?, coalesce(max(number), 0) + 1, ?, now()"
                            + " from attempt where run_id = ? and target = ? returning number", runId, target, worker, runId, target);
                    ResultSet rows = insert.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            } catch (SQLException e) {
                if (!UNIQUE_VIOLATION.equals(e.getSQLState()) || tries > 20) {
                    throw e;
                }
            }
        }
    }

    void end(String runId, String target, int number, String outcome, byte[] archive) throws SQLException {
        try (Connection connection = database.source().getConnection(); PreparedStatement update = connection.prepareStatement(
                "update attempt set ended_at = now(), outcome = ?, archive = ? where run_id = ? and target = ? and number = ? and ended_at is null")) {
            update.setString(1, outcome);
            update.setBytes(2, archive);
            update.setString(3, runId);
            update.setString(4, target);
            update.setInt(5, number);
            update.executeUpdate();
        }
    }

    /** Makes an attempt the one that stands; false where another one stands already. */
    boolean stands(String runId, String target, int number) throws SQLException {
        return update("insert into result (run_id, target, number) values (?, ?, ?) on conflict do nothing", runId, target, number) == 1;
    }

    boolean hasResult(String runId, String target) throws SQLException {
        try (Connection connection = database.source().getConnection();
                PreparedStatement query = statement(connection, "select 1 from result where run_id = ? and target = ?", runId, target);
                ResultSet rows = query.executeQuery()) {
            return rows.next();
        }
    }

    /** Attempts that began and never ended: their workers died. */
    int died(String runId, String target) throws SQLException {
        return (int) count("select count(*) from attempt where run_id = ? and target = ? and ended_at is null", runId, target);
    }

    /** Attempts that ended in a fault of the engine. */
    int faulted(String runId, String target) throws SQLException {
        return (int) count("select count(*) from attempt where run_id = ? and target = ? and outcome = ?", runId, target, FAULTED);
    }

    List<String> targetsWithResult(String runId) throws SQLException {
        List<String> out = new ArrayList<>();
        try (Connection connection = database.source().getConnection();
                PreparedStatement query = statement(connection, "select target from result where run_id = ? order by target", runId);
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                out.add(rows.getString(1));
            }
        }
        return out;
    }

    /** The attempts at a unit up to the one that stands, which is the last. */
    List<Attempt> attempts(String runId, String target) throws SQLException {
        List<Attempt> out = new ArrayList<>();
        try (Connection connection = database.source().getConnection(); PreparedStatement query = statement(connection,
                "select a.number, a.worker, to_char(a.started_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), a.outcome, a.archive"
                        + " from attempt a join result r using (run_id, target) where run_id = ? and target = ?"
                        + " and (a.number = r.number or a.outcome is distinct from 'measured') order by (a.number = r.number), a.number", runId, target);
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                out.add(new Attempt(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getString(4), rows.getBytes(5)));
            }
        }
        return out;
    }

    Counts counts(String runId) throws SQLException {
        return new Counts(count("select count(*) from unit where run_id = ?", runId), count("select count(*) from result where run_id = ?", runId),
                count("select count(*) from attempt where run_id = ?", runId));
    }

    private long count(String sql, Object... values) throws SQLException {
        try (Connection connection = database.source().getConnection(); PreparedStatement query = statement(connection, sql, values);
                ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private int update(String sql, Object... values) throws SQLException {
        try (Connection connection = database.source().getConnection(); PreparedStatement update = statement(connection, sql, values)) {
            return update.executeUpdate();
        }
    }

    private static PreparedStatement statement(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
