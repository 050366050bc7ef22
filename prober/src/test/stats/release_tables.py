"""Loads a release into SQL: its tables as they are, and two views of them, server and standing."""
import csv
import hashlib
import json
import os
import sqlite3
import sys
from urllib.parse import unquote

csv.field_size_limit(1 << 24)


def publisher(target, registry):
    if registry == "local":
        return target
    name = unquote(target.split("/", 1)[1])
    return registry + ":" + (name.split("/")[0] if "/" in name.split("#")[0] else name[:1] + name[1:].split("@")[0].split("#")[0])


def folders(usage, *needed):
    """The folders of the command line, each with a file that it cannot be without; else the usage and status 2, since 1 says that something differs."""
    given = sys.argv[1:]
    if len(given) != len(needed):
        sys.stderr.write("usage: " + usage + "\n")
        sys.exit(2)
    for folder, file in zip(given, needed):
        if not os.path.exists(os.path.join(folder, file)):
            sys.stderr.write(f"{folder} holds no {file}\nusage: {usage}\n")
            sys.exit(2)
    return given


def load(out):
    """The database, and the rule sets of the release in order."""
    db = sqlite3.connect(":memory:")
    description = json.load(open(os.path.join(out, "datapackage.json"), encoding="utf-8"))
    for table in description["resources"]:
        with open(os.path.join(out, table["path"]), encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            header = next(reader)
            columns = ", ".join('"%s" TEXT' % name for name in header)
            db.execute('CREATE TABLE "%s" (%s)' % (table["name"], columns))
            db.executemany('INSERT INTO "%s" VALUES (%s)' % (table["name"], ",".join("?" * len(header))), reader)
    db.create_function("publisher", 2, publisher)
    db.create_function("rank", 1, lambda target: hashlib.sha256(target.encode()).hexdigest())
    db.execute("""CREATE TABLE server AS SELECT target_id, registry, state, startup_failure, publisher(target_id, registry) AS publisher,
        rank(target_id) AS rank, CASE WHEN sdk_family = '' THEN 'unknown' ELSE sdk_family END AS family,
        CASE WHEN sdk_version = '' THEN 'unknown' ELSE sdk_version END AS sdk_version, CASE WHEN revision = '' THEN 'none' ELSE revision END AS revision,
        revision AS agreed,
        CASE WHEN ';' || eras || ';' LIKE '%;legacy;%' THEN 'legacy' ELSE 'modern' END AS era
        FROM targets WHERE state IN ('not-installed', 'start-failed', 'started')""")
    # The verdict that stands: primary ones where there are any, the gravest of them, the first of equally grave ones.
    db.execute("""CREATE TABLE standing AS
        WITH scoped AS (SELECT v.target_id, v.rule_set, v."check", v.verdict, v.observation, o.observed, o.consequence, v.revision IN ('', s.agreed) AS own, v."primary",
                MAX(v."primary" = 'true') OVER (PARTITION BY v.target_id, v.rule_set, v."check") AS with_primary,
                CASE v.verdict WHEN 'fail' THEN 1 WHEN 'warn' THEN 2 WHEN 'divergent' THEN 3 WHEN 'pass' THEN 4 WHEN 'inconclusive' THEN 5
                    WHEN 'not-run' THEN 6 ELSE 7 END AS gravity
            FROM verdicts v JOIN observations o USING (target_id, observation) JOIN server s USING (target_id) WHERE o.era = s.era AND o.repeat = '0'),
        ranked AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY target_id, rule_set, "check" ORDER BY gravity, observation) AS place
            FROM scoped WHERE "primary" = 'true' OR with_primary = 0)
        SELECT target_id, rule_set, "check", verdict, observed, consequence, own FROM ranked WHERE place = 1""")
    return db, description["x-provenance"]["rule_sets"].split(" ")
