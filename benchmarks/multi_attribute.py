"""Processor time of multi-attribute protocols: our count level, our user level and the package multi-freq-ldpy.

Run by hand: `PYTHONPATH=src:papers python benchmarks/multi_attribute.py`, in an environment with numpy, tabulate and,
for the peer's columns, `multi-freq-ldpy` and `xxhash<4`. It prints the tables of docs/benchmarks.md.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable

import numpy as np
from shared.runners.data import TreeTable
from shared.runners.synthetic import syn_a
from tabulate import tabulate

from corrldp.collection import Aggregator, Client
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import pets_appendix
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL

N, D, K, EPSILON = 20_000, 4, 4, 1.0
SIZES = (K,) * D
RUNS, PEER_RUNS = 100, 10
TURNS = 3
MANY, FEW = 100_000, 2_000  # users; of those who report one by one the time of FEW is measured
PROTOCOLS = {
    "SPL": SPL(EPSILON, SIZES),
    "RS+FD": RSFD(EPSILON, SIZES, amplify=True),
    "SMP": SMP(EPSILON, SIZES),
    "RS+RFD": TwoPhaseRSRFD(EPSILON, SIZES, 0.1),
    "Corr-RR": CorrRR(EPSILON, SIZES, 0.1, pets_appendix),
}
WITH_OUE = {
    "SPL, OUE": SPL(EPSILON, SIZES, "OUE"),
    "RS+FD, OUE-z": RSFD(EPSILON, SIZES, amplify=True, oracle="OUE-z"),
    "RS+FD, OUE-r": RSFD(EPSILON, SIZES, amplify=True, oracle="OUE-r"),
    "SMP, OUE": SMP(EPSILON, SIZES, "OUE"),
}
DOMAINS = ((2, 6), (4, 4), (4, 6), (10, 3), (10, 4), (10, 6))  # (k, d)
LARGEST_TABLE = 10**4  # possible records
POPULATIONS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)

Run = Callable[[], np.ndarray]


def seconds(run: Run, repetitions: int = 5) -> tuple[float, np.ndarray]:
    """Return the shortest processor time over some repetitions, after a warm-up, and the last result."""
    result, times = run(), []
    for _ in range(repetitions):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def peers() -> dict[str, tuple[Callable[..., object], Callable[..., np.ndarray]]]:
    """Return the peer's client and aggregator for each protocol that it has; empty if it is not installed."""
    if importlib.util.find_spec("multi_freq_ldpy") is None:
        return {}
    from multi_freq_ldpy.mdim_freq_est import RSpFD_solution as rs_fd
    from multi_freq_ldpy.mdim_freq_est import SMP_solution as smp
    from multi_freq_ldpy.mdim_freq_est import SPL_solution as spl

    def without_sizes(aggregate: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        return lambda reports, sizes, d, epsilon: aggregate(reports, d, epsilon)

    return {
        "SPL": (spl.SPL_GRR_Client, spl.SPL_GRR_Aggregator_MI),
        "RS+FD": (rs_fd.RSpFD_GRR_Client, rs_fd.RSpFD_GRR_Aggregator_MI),
        "SMP": (smp.SMP_GRR_Client, smp.SMP_GRR_Aggregator_MI),
        "SPL, OUE": (spl.SPL_UE_Client, without_sizes(spl.SPL_UE_Aggregator_MI)),
        "RS+FD, OUE-z": (rs_fd.RSpFD_UE_zero_Client, rs_fd.RSpFD_UE_zero_Aggregator_MI),
        "RS+FD, OUE-r": (rs_fd.RSpFD_UE_rnd_Client, rs_fd.RSpFD_UE_rnd_Aggregator_MI),
        "SMP, OUE": (smp.SMP_UE_Client, without_sizes(smp.SMP_UE_Aggregator_MI)),
    }


def peer_estimate(name: str, records: list[list[int]]) -> np.ndarray:
    """Return the peer's frequencies (D, K) from one run, with a Python loop over users as in its documentation."""
    client, aggregator = peers()[name]
    reports = [client(record, list(SIZES), D, EPSILON) for record in records]
    return np.array(aggregator(reports, list(SIZES), D, EPSILON), dtype=float)


def compare(rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a row per protocol: milliseconds per run, and the mean squared error of normalised estimates."""
    records = syn_a(D, 0.5, (0.4, 0.3, 0.2, 0.1), "marginal").records(N, rng)
    table = RecordTable.from_records(records, SIZES)
    truth, codes = table.frequencies(), records.tolist()
    rows = []
    for name, protocol in (PROTOCOLS | WITH_OUE).items():
        count_time, counted = seconds(lambda p=protocol: p.simulate(table, RUNS, rng))
        user_time, _ = seconds(lambda p=protocol: p.estimate(p.privatize(records, rng)))
        rows.append(
            {
                "protocol": name,
                "count level (ms)": 1e3 * count_time / RUNS,
                "user level (ms)": 1e3 * user_time,
                "MSE": error(counted, truth),
            }
        )
        if name in peers():
            peer_time, _ = seconds(lambda n=name: peer_estimate(n, codes), repetitions=3)
            estimated = np.stack([peer_estimate(name, codes) for _ in range(PEER_RUNS)])
            rows[-1] |= {
                "multi-freq-ldpy (ms)": 1e3 * peer_time,
                "peer / user level": peer_time / user_time,
                "its MSE": error(estimated, truth),
            }
    return rows


def compare_many(rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a row per protocol of the peer: milliseconds for 100,000 users, by arrays, by clients and by the peer.

    Arrays and the peer take turns, so that what else the machine does slows both.
    """
    records = syn_a(D, 0.5, (0.4, 0.3, 0.2, 0.1), "marginal").records(MANY, rng)
    codes, rows = records.tolist(), []
    for name in peers():
        protocol = (PROTOCOLS | WITH_OUE)[name]
        turns = [
            (
                seconds(lambda p=protocol: p.estimate(p.privatize(records, rng)), repetitions=3)[0],
                seconds(lambda n=name: peer_estimate(n, codes), repetitions=1)[0],
            )
            for _ in range(TURNS)
        ]
        ours, theirs = (min(times) for times in zip(*turns, strict=True))
        clients, _ = seconds(lambda p=protocol: by_clients(p, codes[:FEW], rng), repetitions=1)
        rows.append(
            {
                "protocol": name,
                "arrays (ms)": 1e3 * ours,
                "multi-freq-ldpy (ms)": 1e3 * theirs,
                "ratio": theirs / ours,
                "one client per user (ms)": 1e3 * clients * MANY / FEW,
            }
        )
    return rows


def by_clients(protocol: SPL | SMP | RSFD, records: list[list[int]], rng: np.random.Generator) -> np.ndarray:
    """Return the frequencies (D, K) that an aggregator estimates from reports of single clients."""
    client = Client(protocol)
    return Aggregator(protocol).add([client.report(record, rng) for record in records]).estimate().raw.frequencies


def error(estimates: np.ndarray, truth: np.ndarray) -> float:
    """Return the mean squared error of estimates (runs, D, K), clipped and normalised as by the peer."""
    return float(average_error((postprocess(estimates, "clip_normalise") - truth) ** 2).mean())


def scale(rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a row per population size: milliseconds per run at the count level."""
    rows = []
    for n in POPULATIONS:
        possible, counts = syn_a(D, 0.5, (0.4, 0.3, 0.2, 0.1), "marginal").table(n, 1, rng)
        table = RecordTable(possible, counts[0], SIZES)
        times = {name: seconds(lambda p=p, t=table: p.simulate(t, RUNS, rng))[0] for name, p in PROTOCOLS.items()}
        rows.append({"users": f"{n:,}", **{name: 1e3 * taken / RUNS for name, taken in times.items()}})
    return rows


def along_trees(rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a row per domain: milliseconds per run of Corr-RR with new data in each run, for both kinds of table."""
    rows = []
    for k, d in DOMAINS:
        model = syn_a(d, 0.5, (1 / k,) * k, "any")
        protocol = CorrRR(EPSILON, model.sizes, 0.1, pets_appendix)
        parents = np.zeros((RUNS, d - 1), dtype=np.int64)
        tables = {"along the tree (ms)": TreeTable.draw(N, model.marginal, model.transition, parents, rng)}
        if k**d <= LARGEST_TABLE:
            tables["table of records (ms)"] = RecordTable(*model.table(N, RUNS, rng), model.sizes)
        times = {name: seconds(lambda p=protocol, t=t: p.simulate(t, RUNS, rng))[0] for name, t in tables.items()}
        rows.append({"k": k, "d": d, "possible records": f"{k**d:,}"} | {n: 1e3 * t / RUNS for n, t in times.items()})
    return rows


def main() -> None:
    """Print the tables."""
    rng = np.random.default_rng(1)
    for rows in (compare(rng), compare_many(rng), scale(rng), along_trees(rng)):
        print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".3g", missingval="-"), end="\n\n")


if __name__ == "__main__":
    main()
