"""Correlation-induced leakage in one page; `snakemake report/notebooks/cpl.html` runs it."""

# %% [markdown]
# # What a report reveals about an unreported attribute
#
# A user releases one attribute through an ε-LDP mechanism. Anyone who knows how the attributes depend on each other
# also learns something about another attribute. Correlation-induced privacy leakage (CPL) is the largest log-ratio of a
# report's probabilities under two values of the *other* attribute; it lies between 0 (independent) and ε (one
# determines the other).
#
# [All results on this paper](../cpl.html)

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from claimaudit.report.claims import answer
from claimaudit.results import read
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_limit, leakage_of_channel
from corrldp.leakage.printed import algorithm_1
from corrldp.mechanisms.grr import GRR

# %% [markdown]
# ## The mechanism
#
# The joint distribution of a binary attribute (rows) and a released one with three values (columns). The leakage
# through GRR and through the worst of all ε-LDP mechanisms, and its limit for large ε:

# %%
joint = np.array([[0.30, 0.15, 0.05], [0.10, 0.15, 0.25]])
laws = conditional(joint)
rows = [
    (epsilon, leakage_of_channel(laws, GRR(epsilon, 3).channel()), leakage_bound(laws, epsilon), leakage_limit(laws))
    for epsilon in (0.5, 1, 2, 4, 8)
]
pd.DataFrame(rows, columns=["epsilon", "through GRR", "worst mechanism", "limit"])

# %% [markdown]
# ## Figure 4 (b) rebuilt
#
# Leakage about gender from three attributes of CelebA released through GRR: each alone, all together (joint), and the
# sum of the three, which the paper calls a bound.

# %%
table = read(Path("results/cpl/fig4b.csv")).query("reading == 'strict' and mechanism == 'GRR' and metric == 'leakage'")
figure, panel = plt.subplots(figsize=(5, 3), layout="constrained")
for name, line in table.groupby("by", sort=False):
    panel.plot(line["epsilon"], line["mean"], label=name)
panel.axline((0, 0), slope=1, color="0.5", linestyle=":", label="epsilon")
panel.set(xlabel="epsilon", ylabel="leakage about gender (nats)", ylim=(0, 1.1 * table["mean"].max()))
panel.legend(fontsize="small")
plt.show()

# %% [markdown]
# ## Question: does Algorithm 1 compute the leakage?
#
# Algorithm 1 is said to compute the leakage of a mechanism with known transition probabilities. It iterates over the
# *rows* of the channel (all reports of one input), whereas the definition needs its *columns* (one report under each
# input). For GRR, whose channel is symmetric, the two agree.

# %%
lopsided = np.array([[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.25, 0.15, 0.6]])
rows = [
    (name, algorithm_1(laws, channel), float(leakage_of_channel(laws, channel)))
    for name, channel in (("GRR", GRR(1.0, 3).channel()), ("a channel without symmetry", lopsided))
]
pd.DataFrame(rows, columns=["mechanism", "Algorithm 1 as printed", "definition"])

# %% [markdown]
# The audit's answer:

# %%
answer("cpl", "algorithm-1-line-3")
