"""pure-ldp's clients and servers, and the frequencies from one run of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer


def pure(name: str, epsilon: float, k: int, values: Iterable[int]) -> np.ndarray:
    """Return pure-ldp's frequencies (k,) from one run; `int` maps values to themselves."""
    client, server = {
        "GRR": lambda: (DEClient(epsilon, k, int), DEServer(epsilon, k, int)),
        "OUE": lambda: (UEClient(epsilon, k, True, int), UEServer(epsilon, k, True, int)),
        "OLH": lambda: (
            LHClient(epsilon, k, use_olh=True, index_mapper=int),
            LHServer(epsilon, k, use_olh=True, index_mapper=int),
        ),
    }[name]()
    for value in values:
        server.aggregate(client.privatise(value))
    return server.estimate_all(range(k), suppress_warnings=True) / server.n
