"""What the preprint of Corr-RR prints, in one page; `snakemake report/notebooks/corr_rr_preprint.html` runs it."""

# %% [markdown]
# # Corr-RR as printed in the preprint
#
# The earlier version of the paper describes the same protocol with different formulas, data and budgets. Most of the
# formulas are right for two values per attribute and wrong for more.
#
# [All results on this paper](../corr_rr_preprint.html)

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shared.runners.second_phase import printed_copy_law, theorem_4

from claimaudit.plots.style import looks
from claimaudit.report.claims import answer
from claimaudit.results import read
from claimaudit.styles import Conventions
from claimaudit.yaml_files import load
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed
from corrldp.protocols.records import RecordTable
from corrldp.runners import CONVENTIONS

# %% [markdown]
# ## The mechanism
#
# Section 3.2.1 lets a second attribute take the value of the pivot's report with probability p_y and each *other*
# value with probability 1 − p_y. For k values these k probabilities sum to p_y + (k − 1)(1 − p_y), which is 1 only if
# k = 2.

# %%
pd.Series({k: printed_copy_law(0.7, k).sum() for k in (2, 3, 4, 10)}, name="sum of the printed law").rename_axis(
    "k"
).to_frame()

# %% [markdown]
# ## Figure 8 rebuilt
#
# Mean squared error for binary attributes at ρ = 0.1 against ε, by the number of attributes.

# %%
table = read(Path("results/corr_rr_preprint/fig8.csv")).query("reading == 'strict'")
figure, panels = plt.subplots(1, table["d"].nunique(), figsize=(10, 3), sharey=True, layout="constrained")
for panel, (d, ours) in zip(panels, table.groupby("d"), strict=True):
    for name, look in looks(["SPL", "RS+FD", "RS+RFD", "Corr-RR"], load(CONVENTIONS, Conventions).looks).items():
        line = ours[ours["mechanism"] == name]
        panel.errorbar(
            line["epsilon"], line["mean"], 2 * line["se"], fmt=f"{look.marker}-", color=look.color, label=name
        )
    panel.set(title=f"d = {d}", xlabel="epsilon", yscale="log")
panels[0].set_ylabel("mean squared error")
panels[0].legend()
plt.show()

# %% [markdown]
# ## Question: is Theorem 4 the error of Phase II?
#
# Theorem 4: for two attributes the mean squared error of Phase II is the printed formula. We draw the reports of
# Phase II for two attributes with the distributions below and a fixed p_y, and compare the error of the first
# attribute's frequencies.

# %%
rng, n, epsilon, p_y, runs = np.random.default_rng(1), 2000, 1.0, 0.7, 2000
rows = []
for k in (2, 4):
    first, second = np.arange(k, 0, -1), np.arange(1, k + 1)
    law = np.outer(first, second) / first.sum() / second.sum()
    codes = np.array(list(np.ndindex(k, k)))
    data = RecordTable(codes, rng.multinomial(n, law.ravel()), (k, k))
    protocol, grr = CorrRR(epsilon, (k, k), 0.5, Fixed(p_y)), GRR(epsilon, k)
    estimates = protocol.simulate_second(data, protocol.spl.simulate(data, runs, rng), rng)
    truth = data.frequencies()
    printed = theorem_4(truth[0], truth[1], np.array(p_y), n, grr)
    rows.append((k, ((estimates - truth) ** 2).mean(axis=0)[0].mean(), printed.mean()))
pd.DataFrame(rows, columns=["k", "MSE of 2000 runs", "Theorem 4 as printed"])

# %% [markdown]
# The formula is right for two values, but not for more. The audit's answer, by enumeration:

# %%
answer("corr_rr_preprint", "theorem-4")
