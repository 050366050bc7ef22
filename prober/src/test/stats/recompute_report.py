#!/usr/bin/env python3
"""Recomputes every figure of a report from the tables of a release, in SQL, with nothing but Python's standard library.

    prober/src/test/stats/recompute_report.py RELEASE REPORT

Also holds what the report's first page prints against the tables: findings, funnel and every cell of its tables as a whole, numbers in and beside a picture
against the figure that they belong to, and any other number against the few facts that prose may name. Shares themselves are recomputed by recompute.py.
Prints every difference and ends with status 1 where there is any; with status 2 for a wrong command line.
"""
import csv
import json
import math
import os
import re
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from html.parser import HTMLParser

from release_tables import folders, load

release, report = folders("recompute_report.py RELEASE REPORT, folders that dataset build --to and report made", "datapackage.json", "figures")
db, rule_sets = load(release)
SHARE = "k, n, share, ci_low, ci_high, ci_method, n_clusters"
FIRST = rule_sets[0]


def releases(a, b):
    """The order of releases, as the report has it: numbers by size, words before the end, the end before numbers."""
    def parts(version):
        return re.findall(r"[0-9]+|[^0-9.-]+", re.sub(r"\+.*", "", version))

    def key(part):
        return (1, 0, "") if not part else (2, 0, "") if part == "post" else (3, int(part), "") if part.isdigit() else (0, 0, part)

    left, right = parts(a), parts(b)
    for i in range(max(len(left), len(right))):
        one, two = key(left[i] if i < len(left) else ""), key(right[i] if i < len(right) else "")
        if one != two:
            return -1 if one < two else 1
    return (a > b) - (a < b)


def mcnemar(a, b):
    n, k = a + b, min(a, b)
    return 1.0 if n == 0 else min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n) if a != b else 1.0


db.create_collation("release", releases)
db.create_function("mcnemar", 2, mcnemar)
db.execute("""CREATE VIEW s AS SELECT *, CAST(k AS INTEGER) AS hits, CAST(share AS REAL) AS part, SUBSTR("group", 1, INSTR("group", ' ') - 1) AS family,
    SUBSTR("group", INSTR("group", ' ') + 1) AS rest, rowid AS place FROM shares WHERE rule_set IN ('none', '%s')""" % FIRST)


def shares(labels, where, order="place"):
    return "SELECT %s, %s FROM s WHERE %s ORDER BY %s" % (labels, SHARE, where, order)


def standing_pair(other):
    """Both rule sets' verdicts on each check that both have a rule for, and on whole servers, counted as compare counts them."""
    return f"""WITH common AS (SELECT DISTINCT "check" FROM rules WHERE rule_set = '{FIRST}' INTERSECT SELECT DISTINCT "check" FROM rules WHERE rule_set = '{other}'),
        pair AS (SELECT c."check", t.target_id, a.verdict AS a, b.verdict AS b,
                COALESCE(a.verdict IN ('pass', 'fail', 'warn', 'divergent') AND b.verdict IN ('pass', 'fail', 'warn', 'divergent'), 0) AS both
            FROM common c JOIN targets t ON t.state = 'started'
            LEFT JOIN standing a ON a.target_id = t.target_id AND a."check" = c."check" AND a.rule_set = '{FIRST}'
            LEFT JOIN standing b ON b.target_id = t.target_id AND b."check" = c."check" AND b.rule_set = '{other}'),
        whole AS (SELECT 'any' AS "check", MAX(both) AS both, MAX(both AND a = 'fail') AS a, MAX(both AND b = 'fail') AS b FROM pair GROUP BY target_id
            UNION ALL SELECT "check", both, a = 'fail', b = 'fail' FROM pair),
        counted AS (SELECT "check", COUNT(*) AS n, SUM(both AND NOT a AND NOT b) AS keep, SUM(both AND NOT a AND b) AS to_fail, SUM(both AND a AND NOT b) AS to_pass,
                SUM(both AND a AND b) AS fail, SUM(NOT both) AS none FROM (SELECT "check", both, COALESCE(a, 0) AS a, COALESCE(b, 0) AS b FROM whole) GROUP BY "check")
        SELECT "check", n, keep, to_fail, to_pass, fail, none, mcnemar(to_pass, to_fail), '' FROM counted ORDER BY "check" <> 'any', "check" """


def holm(rows):
    """Fills the last column, for the checks that have a flip."""
    tests = sorted((row for row in rows if row[0] != "any" and row[3] + row[4] > 0), key=lambda row: row[7])
    highest = 0.0
    adjusted = {}
    for rank, row in enumerate(tests):
        highest = max(highest, min(1.0, (len(tests) - rank) * row[7]))
        adjusted[row[0]] = highest
    return [row[:8] + (adjusted.get(row[0], ""),) for row in rows]


def declared(*figures):
    order = " ".join("WHEN '%s' THEN %d" % (figure, i) for i, figure in enumerate(figures))
    return f"""SELECT figure, value, {SHARE} FROM "declared-shares" WHERE group_by = 'all' AND figure IN ({",".join("'%s'" % f for f in figures)})
        ORDER BY CASE figure {order} END, CAST(k AS INTEGER) DESC, value"""


ALL = "group_by = 'all'"
QUERIES = {
    "failed-checks": f"""SELECT s."check", {", ".join("s." + c for c in SHARE.split(", "))}, a.status, a.corrected, a.corrected_low, a.corrected_high
        FROM s LEFT JOIN audit a ON a.kind = 'verdict' AND a.rule_set = '{FIRST}' AND a.rule = s."check" AND a.decided = 'fail'
        WHERE s.figure = 'verdict' AND s.value = 'fail' AND s.{ALL} AND s.hits > 0 ORDER BY s.part DESC, s."check" """,
    "audit": f"""SELECT rule, decided, status, labelled, "right", false_positive, false_positive_low, false_positive_high, false_negative, false_negative_low,
        false_negative_high, share, ci_low, ci_high, corrected, corrected_low, corrected_high FROM audit WHERE rule_set IN ('none', '{FIRST}') ORDER BY rowid""",
    "verdicts-by-check": f"""SELECT s."check", s.value, {", ".join("s." + c for c in SHARE.split(", "))} FROM s JOIN s AS f ON f."check" = s."check" AND f.figure = 'verdict'
        AND f.value = 'fail' AND f.{ALL} WHERE s.figure = 'verdict' AND s.{ALL}
        ORDER BY f.part DESC, s."check", INSTR('pass divergent warn fail', s.value)""",
    "families-no-fail": shares("family, rest", "figure = 'no-fail' AND group_by = 'sdk_family_revision'"),
    "families-unknown-tool": shares("family, rest", "figure = 'observed' AND \"check\" = 'tools-call-unknown' AND value = 'tool-error' AND group_by = 'sdk_family_revision'"),
    "families-wrong-type": shares("family, rest", "figure = 'verdict' AND \"check\" = 'tools-call-wrong-type' AND value = 'fail' AND group_by = 'sdk_family_revision'"),
    "versions-no-fail": shares("family, rest", "figure = 'no-fail' AND group_by = 'sdk_version'", "family, rest COLLATE release"),
    "offers": shares('"check", value', f"figure = 'answered' AND {ALL}"),
    "consequences": shares("\"check\", CASE value WHEN 'none' THEN 'not accepted' ELSE value END", f"figure = 'consequence' AND {ALL}"),
    "unflagged": shares('"check"', f"figure = 'consequence' AND value = 'in-band-error' AND {ALL}", "hits DESC, place"),
    "startup-failures": shares("value", f"figure = 'startup-failure' AND {ALL}", "hits DESC, value"),
    "failure-shapes": """SELECT shape, channel, COUNT(*) AS calls, COUNT(DISTINCT target_id) FROM "failure-shapes" GROUP BY shape, channel ORDER BY calls DESC, shape, channel""",
    "servers": f"""SELECT t.target_id, t.state, t.reason, t.revision, t.sdk_family, t.sdk_version,
        CASE t.state WHEN 'started' THEN (SELECT COUNT(*) FROM standing d WHERE d.target_id = t.target_id AND d.rule_set = '{FIRST}' AND d.verdict = 'fail') ELSE '' END,
        CASE t.state WHEN 'started' THEN (SELECT COUNT(*) FROM standing d WHERE d.target_id = t.target_id AND d.rule_set = '{FIRST}' AND d.verdict = 'warn') ELSE '' END
        FROM targets t ORDER BY t.rowid""",
    "funnel": """WITH ends AS (SELECT state, reason, COUNT(*) AS rows FROM targets GROUP BY state, reason),
        states(name, part_of, place) AS (VALUES ('excluded', 'declared', 2), ('unmeasured', 'declared', 3), ('not-installed', 'measured', 5), ('start-failed', 'measured', 6),
            ('started', 'measured', 7)),
        steps AS (SELECT 'declared' AS step, '' AS part_of, '' AS reason, (SELECT COUNT(*) FROM targets) AS rows, 1 AS place
            UNION ALL SELECT 'measured', 'declared', '', (SELECT COUNT(*) FROM server), 4
            UNION ALL SELECT name, part_of, '', COALESCE((SELECT SUM(rows) FROM ends WHERE state = name), 0), place FROM states
            UNION ALL SELECT name || ' because', name, ends.reason, rows, place FROM states JOIN ends ON ends.state = name WHERE name <> 'started')
        SELECT step, part_of, reason, rows FROM steps ORDER BY place, reason""",
    "declared-deeds": declared("effect", "verb", "effect-of-read-verb", "effect-of-write-verb"),
    "declared-schemas": declared("schema", "schema-of-write-verb", "schema-of-write-annotation", "server-output-schema"),
    "declared-annotations": declared("annotations", "read-only-hint", "destructive-hint", "idempotent-hint", "open-world-hint", "server-annotations"),
    "declared-names": declared("name-form", "name-style"),
    "declared-dialects": declared("input-dialect", "input-feature", "output-dialect", "output-feature"),
    "declared-third-state": declared("third-state", "third-state-of-write-verb", "server-third-state"),
}
for check in ("tools-call-unknown", "tools-call-wrong-type", "malformed-json"):
    QUERIES["observed-" + check] = shares("value", f"figure = 'observed' AND \"check\" = '{check}' AND {ALL}", "hits DESC, value")
    QUERIES["versions-" + check] = shares("family, rest, value", f"figure = 'observed' AND \"check\" = '{check}' AND group_by = 'sdk_version'", "family, rest COLLATE release, value")
for other in rule_sets[1:]:
    QUERIES["rules-" + re.sub("[^A-Za-z0-9]+", "-", other)] = standing_pair(other)

differences = []
cells = 0
# Of each figure, what may be printed in it and beside its picture.
numbers = defaultdict(set)
pairs = defaultdict(set)
CSV = {}


def same(written, expected):
    if written == str(expected):
        return True
    try:
        return abs(float(written) - float(expected)) <= 1e-9 * max(1e-300, abs(float(expected)))
    except ValueError:
        return False


def tokens(text):
    return re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)


def percent(share):
    """As Java's %.1f writes it, which rounds halves up: 6.25 is 6.3."""
    return f"{Decimal(repr(100 * float(share))).quantize(Decimal('0.1'), ROUND_HALF_UP)}\u00a0%"


def two_digits(value):
    """As Java's %.2g writes it."""
    exact = Decimal(repr(float(value)))
    if exact == 0:
        return "0.0"
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), ROUND_HALF_UP)
    return "%.1e" % rounded if rounded < Decimal("1e-4") or rounded >= 100 else "%.*f" % (max(0, 1 - rounded.adjusted()), rounded)


def is_share(name):
    return re.fullmatch("share|ci_(low|high)|(corrected|false_positive|false_negative)(_low|_high)?", name)


def shown(header, row, looked):
    """The cells of a row of a CSV as the page prints them: intervals in one cell, without what is only in the file."""
    cells = dict(zip(header, row))
    for name, cell in cells.items():
        if name == "ci_method" or name.endswith("_high") or name.startswith("corrected") and not looked:
            continue
        elif name.endswith("_low"):
            yield f"{percent(cell)} to {percent(cells[name[:-3] + 'high'])}" if cell else ""
        elif is_share(name):
            yield percent(cell) if cell else ""
        else:
            yield two_digits(cell) if name in ("p", "p_holm") and cell else cell.removeprefix("'")


figures = sorted(name[:-4] for name in os.listdir(os.path.join(report, "figures")) if name.endswith(".csv"))
for figure in figures:
    with open(os.path.join(report, "figures", figure + ".csv"), encoding="utf-8", newline="") as file:
        header, *written = csv.reader(file)
    CSV[figure] = header, written
    if "share" in header and "n" in header:
        pairs[figure] = {f"{percent(row[header.index('share')])} of {row[header.index('n')]}" for row in written}
    if figure not in QUERIES:
        differences.append(f"{figure}: nobody knows how to compute it from the tables")
        continue
    rows = db.execute(QUERIES[figure]).fetchall()
    rows = holm(rows) if figure.startswith("rules-") else rows
    if len(rows) != len(written):
        differences.append(f"{figure}: {len(written)} rows, recomputed {len(rows)}")
    for number, (row, expected) in enumerate(zip(written, rows)):
        for name, cell, value in zip(header, row, expected):
            cells += 1
            if not same(cell, value):
                differences.append(f"{figure}, row {number + 1}, {name}: {cell!r}, recomputed {value!r}")
            numbers[figure].update(tokens(percent(cell)) if cell and is_share(name) else tokens(two_digits(cell)) if cell and name in ("p", "p_holm") else tokens(cell))
    spec = json.load(open(os.path.join(report, "figures", figure + ".vl.json"), encoding="utf-8")) if os.path.exists(os.path.join(report, "figures", figure + ".vl.json")) else None
    if spec and [[str(value) if value is not None else "" for name, value in row.items() if name != "row"] for row in spec["data"]["values"]] != []:
        for number, (row, values) in enumerate(zip(written, spec["data"]["values"])):
            for name, cell in zip(header, row):
                value = values[name]
                if not same(cell.removeprefix("'"), "" if value is None else value):
                    differences.append(f"{figure}.vl.json, row {number + 1}, {name}: {value!r}, the CSV has {cell!r}")


class Page(HTMLParser):
    """What a page prints, and where."""

    def __init__(self):
        super().__init__()
        self.text = []
        self.tables = {}
        self.findings = []
        self.figure = ""
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag in ("meta", "br", "line", "rect", "path", "circle", "polyline"):
            return
        attributes = dict(attributes)
        if tag == "figure":
            self.figure = attributes["id"].removeprefix("figure-")
        elif tag == "tr" and self.figure and "tbody" in self.open:
            self.tables.setdefault(self.figure, []).append([])
        elif tag in ("th", "td") and self.figure and "tbody" in self.open:
            self.tables[self.figure][-1].append("")
        elif tag == "div" and self.open[-1:] == ["big"]:
            self.findings.append("")
        self.open.append("big" if attributes.get("class") == "big" else tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if self.open and tag not in ("meta", "br", "line", "rect", "path", "circle", "polyline"):
            self.open.pop()
        if tag == "figure":
            self.figure = ""

    def handle_data(self, data):
        if "style" in self.open:
            return
        if "tbody" in self.open and self.figure:
            if self.open[-1] not in ("tbody", "tr"):
                self.tables[self.figure][-1][-1] += data
        elif "big" in self.open:
            if self.open[-1] != "big":
                self.findings[-1] += data
        else:
            self.text.append((self.figure, "svg" in self.open, data))


page = Page()
page.feed(open(os.path.join(report, "index.html"), encoding="utf-8").read())
printed = 0

# Tables, cell by cell.
looked = db.execute("SELECT COUNT(*) FROM audit WHERE kind = 'verdict' AND rule_set = ? AND decided = 'fail' AND k > 0 AND status <> 'not-audited'", (FIRST,)).fetchone()[0] > 0
for figure, (header, written) in CSV.items():
    if figure == "servers":
        continue
    rows = page.tables.get(figure, [])
    if len(rows) != min(400, len(written)):
        differences.append(f"index.html, {figure}: {len(rows)} rows, the CSV has {len(written)}")
    for number, (row, cells_of) in enumerate(zip(rows, written)):
        expected = list(shown(header, cells_of, looked or figure == "audit"))
        printed += sum(len(tokens(cell)) for cell in row)
        if row != expected:
            differences.append(f"index.html, {figure}, row {number + 1}: {row}, the CSV says {expected}")

# Findings and funnel, word by word.
expected = []
for condition, text in [("figure = 'observed' AND \"check\" = 'tools-call-unknown' AND value = 'tool-error'", "answer a call of an unknown tool with a tool error"),
                        ("figure = 'verdict' AND \"check\" = 'tools-call-wrong-type' AND value = 'fail'", "fail at an argument of the wrong type"),
                        ("figure = 'no-fail'", "have no check that fails under the revision that they agreed on")]:
    for figure, check, value, k, n, share, low, high, publishers in db.execute(f"""SELECT figure, "check", value, k, n, share, ci_low, ci_high, n_clusters
            FROM s WHERE {ALL} AND {condition}"""):
        status, corrected, below, above = ("not-audited", "", "", "") if figure != "verdict" else db.execute(
            "SELECT status, corrected, corrected_low, corrected_high FROM audit WHERE kind = 'verdict' AND rule_set = ? AND rule = ? AND decided = ?", (FIRST, check, value)).fetchone()
        audited = f"corrected {percent(corrected)}, {percent(below)} to {percent(above)}" if corrected else "not audited" if status == "not-audited" else "cannot be corrected"
        expected.append(f"{percent(share)}of servers {text}{k} of {n}, 95 % interval {percent(low)} to {percent(high)}, {publishers} publishers; {audited}")
if page.findings != expected:
    differences.append(f"index.html finds {page.findings}, the tables say {expected}")
ends = defaultdict(int, db.execute("SELECT state, SUM(count) FROM coverage GROUP BY state"))
frame, measured = sum(ends.values()), sum(ends[state] for state in ("not-installed", "start-failed", "started"))
said = {f"mcp-prober: {ends['started']} servers", f"How {ends['started']} MCP server{' behaves' if ends['started'] == 1 else 's behave'} when a call goes wrong", f"{frame} declared = {ends['excluded']} excluded + {ends['unmeasured']} unmeasured + {measured} measured; {measured} "
        f"measured = {ends['not-installed']} not installed + {ends['start-failed']} start failed + {ends['started']} started."}
if ends["unmeasured"]:
    said.add(f"Incomplete: {ends['unmeasured']} of {frame} rows of the frame are unmeasured: this machine failed, not they. Every share leaves them out.")
for sentence in said - {text for _, _, text in page.text}:
    differences.append(f"index.html does not say: {sentence}")

# Everything else, number by number.
description = json.load(open(os.path.join(release, "datapackage.json"), encoding="utf-8"))
prose = {"95", "30", "2008", "2002", "3313", "2145"}
provenance = description["x-provenance"]
for fact in [*(provenance.get(name, "") for name in ("run_created_at", "as_of", "profile", "extractor", "rule_sets", "prober", "withheld")), description.get("version", "")]:
    prose.update(tokens(str(fact)))
if provenance.get("withheld", "0") != "0":
    prose.add(str(frame))
prose.update(str(count[0]) for count in db.execute(f"""SELECT SUM(labelled + cannot_tell + open) FROM audit
    WHERE rule_set IN ('none', '{FIRST}') AND status <> 'not-audited'"""))
names = set()
for name in db.execute('SELECT "check" FROM rules UNION SELECT rule_set FROM rules UNION SELECT name FROM pragma_table_info(\'servers\')'):
    names.update(tokens(name[0]))
for figure, drawn, text in page.text:
    if text in said:
        continue
    for pair in re.findall("[0-9.]+\u00a0% of [0-9]+", text) if drawn else []:
        if pair not in pairs[figure]:
            differences.append(f"index.html draws {pair}, which is no row of figure {figure}: {text[:120]!r}")
    for token in tokens(text):
        printed += 1
        if token not in (numbers[figure] | names if figure else prose) and not (drawn and token in ("0", "25", "50", "75", "100")) and not (figure and not drawn and token in prose):
            differences.append(f"index.html prints {token}, which is " + (f"not in figure {figure}" if figure else "in no table") + f": {text[:120]!r}")

for difference in differences[:50]:
    print(difference)
print(f"{len(figures)} figures and {cells} cells recomputed, {printed} printed numbers found, {len(differences)} differences")
sys.exit(1 if differences else 0)
