#!/usr/bin/python3
"""Golden values for package dev.mcpprober.stats, from libraries that share no code with it.

Debian's python3-scipy 1.10.1 and python3-statsmodels 0.13.5:
    /usr/bin/python3 prober/src/test/stats/golden.py > prober/src/test/resources/stats/golden.json
The noise-corrected interval is in no library there: its formula is written out below from Lang and Reiczigel, Preventive Veterinary
Medicine 113 (2014), section 2.2, and the coverage that this script prints on stderr is held against the 95 % it promises.
"""
import json
import sys

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

out = {}

out["proportion"] = []
for k, n in [(10, 50), (0, 30), (81, 263), (1, 29), (7, 7), (13715 // 9, 13715)]:
    row = {"k": k, "n": n}
    row["wilson"] = [float(x) for x in proportion_confint(k, n, method="wilson")]
    row["exact"] = [float(x) for x in proportion_confint(k, n, method="beta")]
    out["proportion"].append(row)


def clustered(clusters):
    """clusters: (k, m) each. Ordinary least squares on a constant with standard errors by cluster; t with clusters - 1."""
    y = np.concatenate([[1] * k + [0] * (m - k) for k, m in clusters]).astype(float)
    g = np.concatenate([[i] * m for i, (k, m) in enumerate(clusters)])
    fit = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": g, "use_correction": True}, use_t=True)
    p, n, se = y.mean(), len(y), float(fit.bse[0])
    deff = max(1.0, se**2 / (p * (1 - p) / n))
    low, high = proportion_confint(p * n / deff, n / deff, method="wilson")
    t = fit.conf_int()[0]
    return {"clusters": clusters, "share": p, "se": se, "deff": deff, "neff": n / deff, "wilson": [float(low), float(high)],
            "t": [max(0.0, float(t[0])), min(1.0, float(t[1]))]}


rng = np.random.default_rng(20261130)
random = [(int(rng.binomial(m, p)), int(m)) for m, p in zip(rng.integers(1, 12, 40), rng.beta(2, 2, 40))]
# Three publishers of twenty and sixty of one: the case of publishing-and-distribution.md.
skewed = [(20, 20), (18, 20), (8, 20)] + [(1, 1)] * 44 + [(0, 1)] * 16
out["clustered"] = [clustered(random), clustered(skewed), clustered([(3, 10), (9, 10)]), clustered([(2, 4), (2, 4), (2, 4), (1, 2)])]

out["mcnemar"] = [{"first": b, "second": c, "p": float(mcnemar([[9, b], [c, 9]], exact=True).pvalue)}
                  for b, c in [(6, 16), (0, 9), (1, 0), (5, 5), (40, 71), (0, 2), (2, 1), (45, 28), (61, 41)]]

out["holm"] = []
for values in [[0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.9], [0.0117, 1, 0.0039], [0.02], [0.049, 0.001, 0.001, 0.2, 0.03]]:
    out["holm"].append({"p": values, "adjusted": [float(x) for x in multipletests(values, method="holm")[1]]})

out["kappa"] = []
for table in [[[20, 5], [10, 15]], [[88, 14, 18], [10, 40, 10], [2, 6, 12]], [[45, 15], [25, 15]], [[10, 0], [0, 7]], [[30, 1, 0, 0], [2, 9, 1, 0], [0, 0, 4, 0], [0, 1, 0, 0]]]:
    result = cohens_kappa(np.array(table))
    out["kappa"].append({"table": table, "kappa": float(result.kappa), "se": float(result.std_kappa),
                         "low": max(-1.0, float(result.kappa_low)), "high": min(1.0, float(result.kappa_upp))})


def lang_reiczigel(k, n, ks, ns, kc, nc):
    """k of n positives; ks of ns true positives found (sensitivity), kc of nc true negatives left alone (specificity)."""
    z = stats.norm.ppf(0.975)
    raw = (k / n + kc / nc - 1) / (ks / ns + kc / nc - 1)
    m, ms, mc = n + z**2, ns + 2, nc + 2
    p, s, c = (k + z**2 / 2) / m, (ks + 1) / ms, (kc + 1) / mc
    youden = s + c - 1
    mid = (p + c - 1) / youden
    shift = 2 * z**2 * (mid * s * (1 - s) / ms - (1 - mid) * c * (1 - c) / mc)
    var = (p * (1 - p) / m + mid**2 * s * (1 - s) / ms + (1 - mid) ** 2 * c * (1 - c) / mc) / youden**2
    half = z * var**0.5
    clip = lambda x: min(1.0, max(0.0, x))
    return clip(raw), clip(mid + shift - half), clip(mid + shift + half)


out["corrected"] = []
for args in [(72, 480, 18, 20, 95, 100), (3, 480, 18, 20, 95, 100), (300, 480, 90, 100, 97, 100), (460, 480, 40, 50, 50, 50), (9, 18, 30, 30, 28, 30)]:
    share, low, high = lang_reiczigel(*args)
    out["corrected"].append({"args": list(args), "share": share, "low": low, "high": high})

out["weighted"] = []
for weights, hits in [([1, 1, 1, 1], [1, 0, 1, 1]), ([40, 40, 3, 3, 3, 1.5], [1, 1, 0, 1, 0, 0]), ([7, 2, 2], [1, 1, 1]), ([250, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1])]:
    w, y = np.array(weights, float), np.array(hits, float)
    share = float(sm.stats.DescrStatsW(y, weights=w).mean)
    size = float(w.sum() ** 2 / (w**2).sum())
    low, high = proportion_confint(share * size, size, method="wilson")
    out["weighted"].append({"weights": weights, "hits": hits, "share": share, "size": size, "wilson": [max(0.0, float(low)), min(1.0, float(high))]})

# The same correction from shares with effective sizes, which need not be whole.
out["corrected-weighted"] = []
for p, n, s, ns, c, nc in [(0.15, 412.7, 0.913, 17.3, 0.952, 61.25), (0.4, 33.3, 1.0, 4.5, 0.88, 12.4)]:
    share, low, high = lang_reiczigel(p * n, n, s * ns, ns, c * nc, nc)
    out["corrected-weighted"].append({"args": [p, n, s, ns, c, nc], "share": share, "low": low, "high": high})

for truth, se, sp in [(0.1, 0.9, 0.95), (0.3, 0.85, 0.9), (0.02, 0.95, 0.98)]:
    hits = 0
    for _ in range(20000):
        positives = rng.binomial(480, truth * se + (1 - truth) * (1 - sp))
        _, low, high = lang_reiczigel(positives, 480, rng.binomial(60, se), 60, rng.binomial(100, sp), 100)
        hits += low <= truth <= high
    print(f"Lang-Reiczigel, true share {truth}, Se {se}, Sp {sp}: {hits / 200:.1f} % of 20000 intervals hold it", file=sys.stderr)

json.dump(out, sys.stdout, indent=1)
print()
