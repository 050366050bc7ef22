#!/usr/bin/env python3
"""Recomputes tables servers, shares, declared-shares and audit of a release from its long tables, in SQL, with nothing but Python's standard library.

    prober/src/test/stats/recompute.py RELEASE

What a stranger with only the release folder can do. Prints every difference and ends with status 1 where there is any; with status 2 for a wrong
command line and where servers are withheld: shares of all servers count them with what is known of them, and their rows do not show all of that.
"""
import math
import sys
from collections import defaultdict

from release_tables import folders, load

db, rule_sets = load(*folders("recompute.py RELEASE, a folder that dataset build --to made", "datapackage.json"))
withheld = db.execute("SELECT COUNT(*) FROM targets WHERE disclosure = 'withheld'").fetchone()[0] if "disclosure" in [row[1] for row in db.execute("PRAGMA table_info(targets)")] else 0
if withheld:
    print(f"{withheld} rows are withheld, so that shares of all servers cannot be counted from the tables; dataset verify holds those against them that can")
    sys.exit(2)
differences = []
stands = {(t, r, c): (v, o, e, own) for t, r, c, v, o, e, own in db.execute("SELECT * FROM standing")}
wide = db.execute("SELECT * FROM servers")
names = [column[0] for column in wide.description]
for row in wide:
    cells = dict(zip(names, row))
    for check in names[8:]:
        expected = stands.get((cells["target_id"], rule_sets[0], check), ("", "", "", 0))[0]
        if cells[check] != expected:
            differences.append(f"servers: {cells['target_id']} {check}: {cells[check]!r}, recomputed {expected!r}")

flaky = set(db.execute("SELECT target_id, observation, rule_set, verdict, differing FROM flaky"))
expected = set(db.execute("""SELECT a.target_id, a.observation, a.rule_set, a.verdict, CAST(SUM(b.verdict <> a.verdict) AS TEXT)
    FROM verdicts a JOIN observations o ON o.target_id = a.target_id AND o.repeat_of = a.observation
    JOIN verdicts b ON b.target_id = a.target_id AND b.observation = o.observation AND b.rule_set = a.rule_set
    WHERE a.verdict <> 'not-run' AND b.verdict <> 'not-run' GROUP BY a.target_id, a.observation, a.rule_set HAVING SUM(b.verdict <> a.verdict) > 0"""))
differences += [f"flaky: {row} in one of table and recomputation" for row in flaky ^ expected]

servers = [dict(zip(("target", "registry", "state", "failure", "publisher", "rank", "family", "sdk_version", "revision", "agreed", "era"), row))
           for row in db.execute("SELECT * FROM server")]
words = defaultdict(dict)
observed = defaultdict(dict)
consequence = defaultdict(dict)
answered = defaultdict(dict)
for target, offered, answer in db.execute("SELECT target_id, offered, CASE WHEN answered = '' THEN met ELSE answered END FROM versions"):
    answered[target][offered] = answer
failing = set()
for rule_set in rule_sets:
    for (target, rules, check), (verdict, value, came, own) in stands.items():
        if rules == rule_set:
            words[target, rules][check] = verdict
            if verdict == "fail" and own:
                failing.add((target, rules))
            if value != "not-run":
                observed[target].setdefault(check, value)
                consequence[target].setdefault(check, came or "none")
SAYING = ("pass", "fail", "warn", "divergent")
GROUPS = {"all": lambda s: "all", "registry": lambda s: s["registry"], "revision": lambda s: s["revision"], "sdk_family": lambda s: s["family"],
          "sdk_family_revision": lambda s: s["family"] + " " + s["revision"], "sdk_version": lambda s: s["family"] + " " + s["sdk_version"]}
Z = 1.959963984540054


def wilson(p, n):
    middle, half = (p + Z * Z / (2 * n)) / (1 + Z * Z / n), Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return (0 if p == 0 else max(0, middle - half)), (1 if p == 1 else min(1, middle + half))


def clustered(clusters):
    """Hits, draws, clusters, share and design effect; each cluster is a list of whether its members are hits."""
    n, g, k = sum(map(len, clusters)), len(clusters), sum(map(sum, clusters))
    p = k / n
    if n == g:
        return k, n, g, p, 1.0
    if k in (0, n) or g < 2:
        return k, n, g, p, n / g
    return k, n, g, p, max(1.0, g / (g - 1) * sum((sum(c) - p * len(c)) ** 2 for c in clusters) / n**2 / (p * (1 - p) / n))


def counted(row):
    """Which servers a row of table shares counts, and which of them have the value."""
    figure, rules, check, value = row["figure"], row["rule_set"], row["check"], row["value"]
    started = [s for s in servers if s["state"] == "started"]
    word = lambda s: words[s["target"], rules].get(check)
    if figure == "state":
        return servers, lambda s: s["state"] == value
    if figure == "startup-failure":
        return servers, lambda s: s["failure"] == value
    if figure == "no-fail":
        return started, lambda s: (s["target"], rules) not in failing
    if figure == "decided":
        return started, lambda s: word(s) in SAYING
    if figure == "verdict":
        return [s for s in started if word(s) in SAYING], lambda s: word(s) == value
    told = {"observed": observed, "consequence": consequence, "answered": answered}[figure]
    return [s for s in started if check in told[s["target"]]], lambda s: told[s["target"]][check] == value


shares = db.execute("SELECT * FROM shares")
names = [column[0] for column in shares.description]
number = 0
for values in shares.fetchall():
    row = dict(zip(names, values))
    number += 1
    frame, hit = counted(row)
    frame = [s for s in frame if GROUPS[row["group_by"]](s) == row["group"]]
    clusters = defaultdict(list)
    for s in frame:
        clusters[s["publisher"]].append(s)
    k, n, g, p, deff = clustered([[hit(s) for s in c] for c in clusters.values()])
    low, high = wilson(p, n / deff)
    expected = {"k": k, "n": n, "n_clusters": g, "share": p, "deff": deff, "n_eff": n / deff, "ci_low": low, "ci_high": high,
                "one_k": sum(hit(min(c, key=lambda s: s["rank"])) for c in clusters.values())}
    for name, value in expected.items():
        if abs(float(row[name]) - value) > 1e-8 * max(1, abs(value)):
            differences.append(f"shares: {[row[c] for c in names[:6]]} {name}: {row[name]}, recomputed {value}")

# And none is left out: every value that was seen, and those that are told where nobody has them, for every group with a server in it.
started = [s for s in servers if s["state"] == "started"]
lines = [("state", "none", "none", state) for state in ("not-installed", "start-failed", "started")]
lines += [("startup-failure", "none", "none", failure) for failure in {s["failure"] for s in servers} - {""}]
for figure, told in (("answered", answered), ("consequence", consequence), ("observed", observed)):
    seen = defaultdict(set)
    for s in started:
        for question, value in told[s["target"]].items():
            seen[question].add(value)
    for question, values in seen.items():
        if values != {"none"}:
            lines += [(figure, "none", question, value) for value in values | ({"tool-error"} if (figure, question) == ("observed", "tools-call-unknown") else set())]
for rules in rule_sets:
    checks = {check for s in started for check in words[s["target"], rules]}
    lines += [("no-fail", rules, "none", "no-fail")] if checks else []
    lines += [line for check in checks for line in [("decided", rules, check, "decided")] + [("verdict", rules, check, word) for word in SAYING]]
expected = set()
for line in lines:
    frame, _ = counted(dict(zip(("figure", "rule_set", "check", "value"), line)))
    for by, group in GROUPS.items():
        if by in ("all", "registry") or line[0] not in ("state", "startup-failure") and (by != "sdk_version" or line[0] in ("no-fail", "observed")):
            expected |= {line + (by, group(s)) for s in frame}
found = set(db.execute('SELECT figure, rule_set, "check", value, group_by, "group" FROM shares'))
differences += [f"shares: {list(key)} is {'missing' if key in expected else 'made up'}" for key in sorted(expected ^ found)]

# What servers declare: tools, or servers that list one.
kinds = defaultdict(set)
for target, tool, kind in db.execute("SELECT target_id, tool, class FROM vocabulary WHERE mark = ''"):
    kinds[target, tool] |= {"any", kind}
cursor = db.execute("SELECT * FROM \"declared-tools\"")
names = [column[0] for column in cursor.description]
tools = [dict(zip(names, values)) for values in cursor.fetchall()]
OBJECT = ("bare", "properties")


def schemas(t):
    found = {word for word, has in (("input-schema", t["input_schema"] in OBJECT), ("input-properties", t["input_schema"] == "properties"),
                                    ("output-schema", t["output_schema"] in OBJECT)) if has}
    return found or {"no-schema"}


def third(t):
    return kinds[t["target_id"], t["tool"]]


WRITES = lambda t: t["verb"] == "write"
ALWAYS = lambda t: True
OF_TOOLS = {
    "annotations": (ALWAYS, lambda t: {"present" if t["annotated"] == "true" else "absent"}),
    "read-only-hint": (ALWAYS, lambda t: {t["read_only_hint"]}), "destructive-hint": (ALWAYS, lambda t: {t["destructive_hint"]}),
    "idempotent-hint": (ALWAYS, lambda t: {t["idempotent_hint"]}), "open-world-hint": (ALWAYS, lambda t: {t["open_world_hint"]}),
    "effect": (ALWAYS, lambda t: {t["effect"]}), "verb": (ALWAYS, lambda t: {t["verb"]}),
    "effect-of-write-verb": (WRITES, lambda t: {t["effect"]}), "effect-of-read-verb": (lambda t: t["verb"] == "read", lambda t: {t["effect"]}),
    "schema": (ALWAYS, schemas), "schema-of-write-verb": (WRITES, schemas),
    "schema-of-write-annotation": (lambda t: t["effect"] in ("write", "destructive"), schemas),
    "name-form": (ALWAYS, lambda t: {t["name_form"]}), "name-style": (lambda t: t["name_style"], lambda t: {t["name_style"]}),
    "input-dialect": (lambda t: t["input_schema"] in OBJECT, lambda t: {t["input_dialect"]}),
    "output-dialect": (lambda t: t["output_schema"] in OBJECT, lambda t: {t["output_dialect"]}),
    "input-feature": (lambda t: t["input_schema"] in OBJECT, lambda t: set(t["input_features"].split(";"))),
    "output-feature": (lambda t: t["output_schema"] in OBJECT, lambda t: set(t["output_features"].split(";"))),
    "task-support": (ALWAYS, lambda t: {t["task_support"]}), "third-state": (ALWAYS, third), "third-state-of-write-verb": (WRITES, third)}
OF_SERVERS = {
    "server-annotations": lambda own: {word for word, has in (("any", any), ("all", all)) if has(t["annotated"] == "true" for t in own)},
    "server-output-schema": lambda own: {"any"} if any(t["output_schema"] in OBJECT for t in own) else set(),
    "server-third-state": lambda own: set().union(*map(third, own))}
by_server = defaultdict(list)
for t in tools:
    by_server[t["target_id"]].append(t)
about = {s["target"]: s for s in servers}
cursor = db.execute("SELECT * FROM \"declared-shares\"")
names = [column[0] for column in cursor.description]
declared = 0
for values in cursor.fetchall():
    row = dict(zip(names, values))
    declared += 1
    figure = row["figure"]
    if figure in OF_SERVERS:
        answers = [(target, OF_SERVERS[figure](own)) for target, own in by_server.items()]
    else:
        counts, value = OF_TOOLS[figure]
        answers = [(t["target_id"], value(t)) for t in tools if counts(t)]
    clusters = defaultdict(list)
    for target, answer in answers:
        if GROUPS[row["group_by"]](about[target]) == row["group"]:
            clusters[about[target]["publisher"]].append(row["value"] in answer)
    k, n, g, p, deff = clustered(list(clusters.values()))
    low, high = wilson(p, n / deff)
    expected = {"k": k, "n": n, "n_clusters": g, "share": p, "deff": deff, "n_eff": n / deff, "ci_low": low, "ci_high": high,
                "publisher_mean": sum(sum(c) / len(c) for c in clusters.values()) / g}
    for name, value in expected.items():
        if abs(float(row[name]) - value) > 1e-8 * max(1, abs(value)):
            differences.append(f"declared-shares: {[row[c] for c in names[:5]]} {name}: {row[name]}, recomputed {value}")

SCHEMAS = {"input-schema", "input-properties", "output-schema", "no-schema"}
THIRD = {"any", "state", "deferral", "unproven"}
TOLD = {"schema": SCHEMAS, "schema-of-write-verb": SCHEMAS, "schema-of-write-annotation": SCHEMAS, "server-annotations": {"all", "any"}, "server-output-schema": {"any"},
        "server-third-state": THIRD, "third-state": THIRD, "third-state-of-write-verb": THIRD}
expected = set()
for figure in [*OF_SERVERS, *OF_TOOLS]:
    if figure in OF_SERVERS:
        answers = [(target, OF_SERVERS[figure](own)) for target, own in by_server.items()]
    else:
        answers = [(t["target_id"], OF_TOOLS[figure][1](t)) for t in tools if OF_TOOLS[figure][0](t)]
    values = set().union(TOLD.get(figure, set()), *(answer for _, answer in answers)) - {""}
    expected |= {(figure, value, by, GROUPS[by](about[target])) for target, _ in answers for value in values for by in ("all", "registry", "sdk_family")}
found = set(db.execute('SELECT figure, value, group_by, "group" FROM "declared-shares"'))
differences += [f"declared-shares: {list(key)} is {'missing' if key in expected else 'made up'}" for key in sorted(expected ^ found)]

# The audit: raw shares from the tables, rates and corrections from the labels.
DECIDING = ("pass", "fail", "warn", "divergent")
decided = defaultdict(list)
started = {s["target"] for s in servers if s["state"] == "started"}
for (target, rules, check), (verdict, value, came, own) in stands.items():
    if target in started:
        decided["verdict", rules, check].append((target, verdict))
for target, failure in db.execute("SELECT target_id, startup_failure FROM targets WHERE startup_failure != ''"):
    decided["startup-failure", "none", "startup-failure"].append((target, failure))
for target, family in db.execute("SELECT target_id, family FROM attribution"):
    decided["sdk-family", "none", "sdk-family"].append((target, family))
for target, shape in db.execute("SELECT target_id, shape FROM \"failure-shapes\""):
    decided["failure-shape", "none", "failure-shape"].append((target, shape))
for target, check, word in db.execute("SELECT target_id, \"check\", consequence FROM observations WHERE consequence != '' AND repeat = '0'"):
    decided["consequence", "none", check].append((target, word))


def within(word, other, kind):
    return kind != "verdict" or word not in DECIDING or other in DECIDING


given = defaultdict(set)
settled = {}
about_decision = {}
for decision, labeller, kind, rules, rule, word, label, weight in db.execute("SELECT decision, labeller, kind, rule_set, rule, decided, label, weight FROM labels"):
    about_decision[decision] = (kind, rules or "none", rule, word)
    if labeller == "adjudicated":
        settled[decision] = label
    else:
        given[decision].add(label)
known = defaultdict(list)
for decision, words in given.items():
    truth = settled.get(decision, next(iter(words)) if len(words) == 1 else None)
    if truth is not None and (truth != "cannot-tell" or about_decision[decision][0] == "failure-shape"):
        known[about_decision[decision]].append(truth)


def weighted(pairs):
    """Weight and hit of each. Returns share and Kish's effective size."""
    w = sum(weight for weight, _ in pairs)
    return (sum(weight for weight, hit in pairs if hit) / w, w * w / sum(weight**2 for weight, _ in pairs)) if w else (None, 0)


def lang_reiczigel(p, n, se, ns, sp, nc):
    m, ms, mc = n + Z * Z, ns + 2, nc + 2
    p, s, c = (p * n + Z * Z / 2) / m, (se * ns + 1) / ms, (sp * nc + 1) / mc
    youden = s + c - 1
    if youden <= 0:
        return 0, 1
    mid = (p + c - 1) / youden
    es, ec = s * (1 - s) / ms, c * (1 - c) / mc
    shift = 2 * Z * Z * (mid * es - (1 - mid) * ec)
    half = Z * math.sqrt((p * (1 - p) / m + mid * mid * es + (1 - mid) ** 2 * ec) / youden**2)
    low = min(1, max(0, mid + shift - half))
    return low, min(1, max(low, mid + shift + half))


cursor = db.execute("SELECT * FROM audit")
names = [column[0] for column in cursor.description]
audit = [dict(zip(names, values)) for values in cursor.fetchall()]
k_of = {(r["kind"], r["rule_set"], r["rule"], r["decided"]): int(r["k"]) for r in audit}
for row in audit:
    group, word, kind = (row["kind"], row["rule_set"], row["rule"]), row["decided"], row["kind"]
    expected = {}
    clusters = defaultdict(list)
    for target, other in decided[group]:
        if within(word, other, kind):
            clusters[about[target]["publisher"]].append(other == word)
    k, n, _, _, deff = clustered(list(clusters.values()))
    expected.update({"k": k, "n": n, "n_eff": n / deff})
    p, e = int(row["k"]) / int(row["n"]), float(row["n_eff"])
    expected.update(share=p, ci_low=wilson(p, e)[0], ci_high=wilson(p, e)[1])
    pool = [key for key in k_of if key[:3] == group and within(word, key[3], kind) and k_of[key]]
    pairs = lambda keys: [(k_of[key] / len(known[key]), truth, key[3]) for key in keys for truth in known[key]]
    of_pool = pairs(pool)
    rates = {"npv": weighted([(w, truth != word) for w, truth, d in of_pool if d != word]),
             "false_positive": weighted([(w, d == word) for w, truth, d in of_pool if truth != word]),
             "false_negative": weighted([(w, d != word) for w, truth, d in of_pool if truth == word]),
             "rule_error": weighted([(w, truth != d) for w, truth, d in pairs([key for key in k_of if key[:3] == group])])}
    own = known[group + (word,)]
    rates["ppv"] = (sum(truth == word for truth in own) / len(own), len(own)) if own else (None, 0)
    expected.update(labelled=len(own), right=sum(truth == word for truth in own))
    for name, (share, size) in rates.items():
        low, high = wilson(share, size) if size else (None, None)
        expected.update({name: share, name + "_low": low, name + "_high": high})
    looked = sum(bool(known[key]) for key in pool)
    status = "not-audited" if not looked else "partial" if looked < len(pool) else "audited"
    if row["status"] != status:
        differences.append(f"audit: {[row[c] for c in names[:4]]} status: {row['status']}, recomputed {status}")
    (fp, nfp), (fn, nfn) = rates["false_positive"], rates["false_negative"]
    expected.update(corrected=None, corrected_low=None, corrected_high=None)
    if status == "audited" and nfp and nfn and 1 - fn - fp > 0:
        low, high = lang_reiczigel(p, e, 1 - fn, nfn, 1 - fp, nfp)
        expected.update(corrected=min(1, max(0, (p - fp) / (1 - fn - fp))), corrected_low=low, corrected_high=high)
    for name, value in expected.items():
        if (row[name] == "") != (value is None) or value is not None and abs(float(row[name]) - value) > 1e-7 * max(1, abs(value)):
            differences.append(f"audit: {[row[c] for c in names[:4]]} {name}: {row[name]}, recomputed {value}")

for difference in differences[:50]:
    print(difference)
print(f"{number} shares, {declared} declared shares, {len(audit)} words of the audit and {db.execute('SELECT COUNT(*) FROM servers').fetchone()[0]} servers recomputed, {len(differences)} differences")
sys.exit(1 if differences else 0)
