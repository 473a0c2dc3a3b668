"""Correlated randomized response in one page; `snakemake report/notebooks/corr_rr.html` runs it."""

# %% [markdown]
# # Correlated randomized response
#
# A record has several dependent attributes. A few users (Phase I) report each attribute with a share of the budget.
# Every other user (Phase II) spends the whole budget on one attribute, the pivot, and derives the reports of the others
# from the pivot's *report*, which is repeated with probability p_y, learned in Phase I. Post-processing a report costs
# no privacy; if the attributes are similar, it costs little accuracy.
#
# [All results on this paper](../corr_rr.html)

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shared.runners.privacy import channels
from shared.runners.synthetic import syn_a

from claimaudit.plots.style import looks
from claimaudit.published import read_published
from claimaudit.report.claims import answer
from claimaudit.results import read
from claimaudit.styles import Conventions
from claimaudit.yaml_files import load
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import pets_appendix, pets_body
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SPL
from corrldp.runners import CONVENTIONS

# %% [markdown]
# ## The mechanism
#
# SynA with 20,000 users, four attributes of four values, ρ = 0.9; ε = 0.3. Mean squared error over 200 runs, with the
# copying probability of Proposition 1 (Section 3.2.2) and of Eq. 9 (appendix), which differ in a sign.

# %%
n, sizes, epsilon, rng = 20_000, (4, 4, 4, 4), 0.3, np.random.default_rng(1)
possible, counts = syn_a(4, 0.9, (0.4, 0.3, 0.2, 0.1), "different").table(n, 1, rng)
data = RecordTable(possible, counts[0], sizes)
protocols = {
    "SPL": SPL(epsilon, sizes),
    "RS+FD": RSFD(epsilon, sizes),
    "Corr-RR, Proposition 1": CorrRR(epsilon, sizes, 0.1, pets_body),
    "Corr-RR, Eq. 9": CorrRR(epsilon, sizes, 0.1, pets_appendix),
}
errors = {
    name: average_error((protocol.simulate(data, 200, rng) - data.frequencies()) ** 2).mean()
    for name, protocol in protocols.items()
}
pd.Series(errors, name="mean squared error").to_frame()

# %% [markdown]
# ## Figure 3 rebuilt
#
# Mean squared error on SynA against ε. Filled: our runs with two standard errors; hollow: the published points.

# %%
mechanisms = looks(["SPL", "RS+FD", "RS+RFD", "Corr-RR"], load(CONVENTIONS, Conventions).looks)
table = read(Path("results/corr_rr/fig3.csv")).query("reading == 'strict'")
published = read_published(Path(os.environ.get("CLAIMAUDIT_PROJECT", "")) / "papers/corr_rr/published/fig3.csv")
figure, panels = plt.subplots(1, 3, figsize=(10, 3), sharey=True, layout="constrained")
for panel, (rho, ours) in zip(panels, table.groupby("rho"), strict=True):
    for name, look in mechanisms.items():
        line, points = ours[ours["mechanism"] == name], published.query("mechanism == @name and rho == @rho")
        panel.errorbar(
            line["epsilon"], line["mean"], 2 * line["se"], fmt=f"{look.marker}-", color=look.color, label=name
        )
        panel.plot(points["epsilon"], points["value"], look.marker, color=look.color, fillstyle="none", markersize=10)
    panel.set(title=f"rho = {rho:g}", xlabel="epsilon", yscale="log")
panels[0].set_ylabel("mean squared error")
panels[0].legend()
plt.show()

# %% [markdown]
# ## Question: does Phase II amplify privacy?
#
# Section 3.3.1: a Phase II user enjoys more privacy than ε. The channel of a whole record is small enough to enumerate;
# the largest ratio of two entries in a column determines the true ε.

# %%
exact = channels(d=2, k=4, epsilon=1, p_y=0.5)
pd.Series({name: epsilon_of_channel(channel) for name, channel in exact.items()}, name="true epsilon").to_frame()

# %% [markdown]
# Corr-RR has exactly ε, because the pivot alone is reported with the whole budget. The audit's answer:

# %%
answer("corr_rr", "amplified")
