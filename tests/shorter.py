"""Settings with which dear experiments do all that they do, in less time."""

from dataclasses import replace

SHORTER = {
    "castell.runners.lopub:schemes": {"datasets": {"adult": {"view": "adult_categorical", "w": [2, 3]}}},
    "castell.runners.sets:line": {"subsets": 2, "w": [2, 3]},
    "cpl.runners.estimates:nmse_cpl": {"epsilon": [1]},
    "cpl.runners.calibration:totals": {"size": 4, "draws": 1},
    "cpl.runners.estimates:significance": {"surrogates": 30},
}
"""What of a setting is replaced, by runner: the numbers of attributes, of their sets and of surrogates."""


def job(paper, experiment):
    found = paper.computed(experiment)
    return replace(found, setting=found.setting | SHORTER.get(found.runner, {}))
