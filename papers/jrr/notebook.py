"""Joint randomized response in one page; `snakemake report/notebooks/jrr.html` runs it."""

# %% [markdown]
# # Joint randomized response
#
# Users are paired at random. As in randomized response (RR), each user tells the truth with probability p, but the
# truthfulness of the two is negatively correlated (ρ < 0): if one lies, the other is less likely to lie. The errors of
# a pair then partly cancel, unless the two users hold different values.
#
# [All results on this paper](../jrr.html)

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from jrr.runners.errors import mse_counts

from claimaudit.plots.style import looks
from claimaudit.published import read_published
from claimaudit.report.claims import answer
from claimaudit.results import read
from claimaudit.styles import Conventions
from claimaudit.yaml_files import load
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.jrr.privacy import algorithm1, rr_parameters
from corrldp.runners import CONVENTIONS

# %% [markdown]
# ## The mechanism
#
# 10,000 users, 100 of whom hold 1; ε = 0.1. Algorithm 1 of the paper chooses p and ρ so that not even 5 colluding users
# learn more than ε about another user.

# %%
n, n1, epsilon = 10_000, 100, 0.1
values = np.repeat([0, 1], [n - n1, n1])
mechanisms = {"RR": rr_parameters(epsilon), "JRR": algorithm1(n, epsilon, colluders=5)}
rows = []
for name, mechanism in mechanisms.items():
    rng = np.random.default_rng(1)
    reports = mechanism.privatize(values, rng)  # what the users send
    estimate = mechanism.estimate_counts(mechanism.support(reports), n)[1]
    runs = mechanism.estimate_counts(
        mechanism.simulate([n - n1, n1], 2000, rng), n
    )  # the same law, at the level of counts
    error = mse_counts(runs, [n - n1, n1]).mean()
    own_epsilon = epsilon_of_channel(mechanism.channel())
    rows.append((name, mechanism.p, mechanism.rho, own_epsilon, estimate, error, mechanism.variance_of_counts(n1, n)))
pd.DataFrame(
    rows, columns=["mechanism", "p", "rho", "epsilon of one report", "one estimate of n1", "MSE of 2000 runs", "theory"]
)

# %% [markdown]
# ## Figure 3 rebuilt
#
# The mean squared error of counts for 10,000 users. Lines: closed form (Eq. 21); filled: our runs; hollow: the
# published points. Dashed: JRR with the smallest possible ρ, 1 - 1/p, at the largest p at which the privacy constraint
# admits it.

# %%
table = read(Path("results/jrr/fig3.csv")).query("metric == 'mse_counts' and n == 10000")
published = read_published(Path(os.environ.get("CLAIMAUDIT_PROJECT", "")) / "papers/jrr/published/fig3.csv")
published = published.query("metric == 'mse_counts' and n == 10000")
figure, panels = plt.subplots(1, 3, figsize=(10, 3), sharey=True, layout="constrained")
for panel, (share, ours) in zip(panels, table.groupby("ones_fraction"), strict=True):
    for name, look in looks(["RR", "JRR"], load(CONVENTIONS, Conventions).looks).items():
        line = ours.query("mechanism == @name and reading == 'strict'")
        panel.loglog(line["epsilon"], line["theory"], color=look.color)
        panel.errorbar(line["epsilon"], line["mean"], 2 * line["se"], fmt=look.marker, color=look.color, label=name)
        points = published.query("mechanism == @name and n1 == @share * n")
        panel.plot(points["epsilon"], points["value"], look.marker, color=look.color, fillstyle="none", markersize=10)
    smallest = ours.query("mechanism == 'JRR' and reading == 'corner'")
    panel.loglog(smallest["epsilon"], smallest["theory"], "--", color=look.color)
    panel.set(title=f"n1/n = {share:g}", xlabel="epsilon")
panels[0].set_ylabel("MSE (counts²)")
panels[0].legend()
plt.show()

# %% [markdown]
# ## Question: is JRR's error 74.1 % of RR's?
#
# Section 5.3.1: for n = 80,000, ε = 0.1 and n1/n = 1, JRR's mean squared error is 74.1 % of RR's. Both errors have
# closed forms, so no simulation is needed.

# %%
n, epsilon = 80_000, 0.1
rr, jrr = rr_parameters(epsilon), algorithm1(n, epsilon, colluders=5)
ratio = jrr.variance_of_counts(n, n) / rr.variance_of_counts(n, n)
print(f"JRR / RR = {ratio:.1%}")

# %% [markdown]
# The audit's answer:

# %%
answer("jrr", "share-of-74-percent")
