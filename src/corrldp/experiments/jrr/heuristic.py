"""What Algorithm 1 of the JRR paper finds, and what it costs against the true optimum of problem (22)."""

from __future__ import annotations

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.choice import search
from corrldp.experiments.jrr.population import settings
from corrldp.experiments.rows import STRICT, row
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import feasible_rho, optimum, rr_parameters


def run(experiment: Experiment) -> pd.DataFrame:
    """Return, for every setting and step, the parameters of Algorithm 1 and of the optimum with their variances.

    `found` is 1 where the search returns a pair; `mse_counts` is the variance of Eq. 21, which for RR is Eq. 3;
    `smallest_rho` is the smallest feasible rho at the p of RR.
    """
    rows = []
    for point in settings(experiment.setting, {}):
        for step in experiment.setting["step"]:
            at = {**point, "step": step}
            n, n1, epsilon, colluders = point["n"], point["n1"], point["epsilon"], point["colluders"]
            plain = rr_parameters(epsilon)
            found = search(n, epsilon, colluders, step)
            choices = {"RR": plain, "JRR": found, "optimal JRR": optimum(n, n1, epsilon, colluders)}
            rows.append(row(at, STRICT, "JRR", "found", found is not None))
            rows.append(row(at, STRICT, "RR", "smallest_rho", feasible_rho(plain.p, epsilon, n, colluders)[0]))
            for mechanism, choice in choices.items():
                if choice is not None:
                    variance = JointRandomizedResponse(choice.p, choice.rho).variance_of_counts(n1, n)
                    measures = {"p": choice.p, "rho": choice.rho, "mse_counts": variance}
                    rows.extend(row(at, STRICT, mechanism, name, value) for name, value in measures.items())
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
