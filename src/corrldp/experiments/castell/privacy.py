"""The epsilon that the schemes of the Castell paper really give, by enumeration of their channels (Theorem 3)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.castell.independent import IndependentRR
from corrldp.protocols.castell.joint import RRJoint
from corrldp.protocols.lopub.bloom import LoPub
from corrldp.protocols.privacy import attribute_epsilon


def run(experiment: Experiment) -> pd.DataFrame:
    """Return, for each domain and epsilon per attribute, the exact epsilon of a record and of its attributes.

    `theory` is what Theorem 3 says. LoPub spends at most what its formula says, less where filters overlap; its hash
    functions are those of one draw. All rows are exact.
    """
    rows: list[dict[str, Any]] = []
    for sizes in map(tuple, experiment.setting["sizes"]):
        for epsilon in experiment.setting["epsilon"]:
            w = len(sizes)
            point = {"sizes": " x ".join(map(str, sizes)), "w": w, "epsilon": epsilon}
            channel = IndependentRR(epsilon, sizes).channel()
            attributes = [attribute_epsilon(channel, sizes, j) for j in range(w)]
            joint = epsilon_of_channel(RRJoint(w * epsilon, sizes).channel())
            lopub = LoPub.draw(epsilon, sizes, experiment.rng(sizes=sizes)).exact_epsilons()
            rows += [
                row(point, STRICT, "RR-Ind-Joint", "epsilon_attribute", max(attributes), theory=epsilon),
                row(point, STRICT, "RR-Ind-Joint", "epsilon_record", epsilon_of_channel(channel), theory=w * epsilon),
                row(point, STRICT, "RR-Joint", "epsilon_record", joint, theory=w * epsilon),
                row(point, STRICT, "LoPub", "epsilon_attribute", max(lopub)),
                row(point, STRICT, "LoPub", "epsilon_record", sum(lopub)),
            ]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
