"""Settings with which dear experiments do all that they do, in less time."""

from dataclasses import replace

FEW = {
    "Adult": ["age", "workclass", "sex", "native-country", "income"],
    "CVD": ["age", "gender", "cholesterol", "cardio"],
    "CelebA": ["Male", "No_Beard", "Smiling", "Young"],
}
"""Attributes of the data sets of the CPL paper, of whose pairs its experiments compute something."""

SHORTER = {
    "castell.runners.lopub:schemes": {"datasets": {"adult": {"view": "adult_categorical", "w": [2, 3]}}},
    "castell.runners.sets:line": {"subsets": 2, "w": [2, 3]},
    "cpl.runners.benchmarks:algorithms": {"attributes": FEW},
    "cpl.runners.benchmarks:attack": {"attributes": FEW},
    "cpl.runners.benchmarks:utility": {"attributes": FEW},
    "cpl.runners.calibration:budgets": {"size": 5},
    "cpl.runners.calibration:selections": {"size": 5, "draws": 2},
    "cpl.runners.calibration:totals": {"size": 4, "draws": 1},
    "cpl.runners.composition:triples": {"attributes": {"CelebA": FEW["CelebA"]}},
    "cpl.runners.estimates:nmse_cpl": {"attributes": FEW},
    "cpl.runners.estimates:rare_values": {"attributes": {"Adult": FEW["Adult"]}},
    "cpl.runners.estimates:significance": {"attributes": FEW, "surrogates": 30},
    "cpl.runners.laws:statements": {"t": [2, 9], "cases": 2},
}
"""What of a setting is replaced, by runner: the numbers of attributes, of their sets and of surrogates."""


def job(paper, experiment):
    found = paper.computed(experiment)
    return replace(found, setting=found.setting | SHORTER.get(found.runner, {}))
