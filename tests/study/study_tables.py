"""Fake tables as people have them."""

import csv

import numpy as np

PLACES = ("Dover, Kent", "Ely", "York")
ANSWERS = ("no", "yes")


def records(n, seed=1):
    """Draw records whose columns depend on each other: (number, age, place, answer, illness)."""
    rng = np.random.default_rng(seed)
    place = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    answer = (rng.random(n) < 0.2 + 0.3 * place).astype(int)
    illness = (rng.random(n) < 0.1 + 0.6 * answer).astype(int)
    age = np.clip(rng.normal(40 + 10 * answer, 12, size=n), 18, 89).round(1)
    rows = zip(range(n), age, place, answer, illness, strict=True)
    return [[number, years, PLACES[p], ANSWERS[a], ANSWERS[i]] for number, years, p, a, i in rows]


def write_csv(path, rows, names=("number", "age", "place", "answer", "illness"), **options):
    with path.open("w", newline=options.pop("newline", ""), encoding=options.pop("encoding", "utf-8")) as file:
        csv.writer(file, **options).writerows([names, *rows])
    return path


SETTINGS = {
    "columns": {
        "age": {"bins": [18, 30, 45, 60, 90]},
        "place": {"values": list(PLACES)},
        "answer": {"values": list(ANSWERS)},
        "illness": {"values": list(ANSWERS)},
    },
    "leave_out": ["number"],
    "sensitive": ["illness"],
}
