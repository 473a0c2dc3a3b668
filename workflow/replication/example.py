"""What a plan and a study say: the results behind the page that shows a reader what comes out."""

import numpy as np

from corrldp.data.table import Table
from corrldp.deployment.plan import plan
from corrldp.deployment.plan_command import in_words
from corrldp.study.study import Study


def outcomes() -> dict[str, object]:
    """Return the lines of a plan, and the answers of a study of made-up people, both those of docs/study.md."""
    rng = np.random.default_rng(1)
    smokes = rng.random(20_000) < 0.3
    coughs = rng.random(20_000) < np.where(smokes, 0.6, 0.2)
    ill = rng.random(20_000) < np.where(coughs, 0.3, 0.05)
    codes = np.column_stack([smokes, coughs, ill]).astype(int)
    table = Table(codes, ("smokes", "coughs", "ill"), (("no", "yes"),) * 3)
    study = Study(table, epsilons=(1.0,), protocols=("SPL", "SMP"), sensitive=("ill",))
    planned = in_words(plan((2, 4, 8, 3), users=3000, epsilon=1), most=3)
    lines = [table.names, *np.where(codes[:4], "yes", "no")]
    return {"lines": lines, "planned": planned.split("\n\n")[:2], "studied": [one.text for one in study.answers()]}
