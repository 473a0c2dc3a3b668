"""Compare the result tables of two runs: ``python benchmarks/compare_results.py OLD NEW [COLUMN=NEW_NAME ...]``.

OLD and NEW are ``results/`` directories. Rows are matched by settings, axes, mechanism and metric, not by the names of
readings. For each table the script prints the number of rows that agree to the last digit; the number that differ, with
the joint p-value of their z-scores and the largest z-score; and the number of rows present on only one side. It exits
with an error if simulated rows differ beyond chance at level 0.001 (Bonferroni), if exact rows differ at all, or if old
rows are missing.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from claimaudit.results import STRICT, axes_of, read

LEVEL = 0.001
NUMBERS = ["mean", "se", "runs", "theory"]
MEASURED = "seconds"  # differs between any two runs


def keyed(table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return the table with a text index that identifies each row."""
    text = table[columns].map(lambda value: f"{value:.12g}" if isinstance(value, float | int) else str(value))
    found = table.set_index(pd.Index(text.apply(lambda row: " | ".join(row), axis=1)))
    return found[~found.index.duplicated()]


def compare(old: pd.DataFrame, new: pd.DataFrame) -> dict[str, object]:
    """Return counts and p-values for two versions of one table."""
    settings, axes = axes_of(old)
    new_settings, new_axes = axes_of(new)
    dropped = [name for name in axes if name not in new.columns]
    for name in dropped:  # what an axis that is gone did not change stands under its strict value
        old = old[old[name] == old.loc[old["reading"] == STRICT, name].iloc[0]]
    columns = [*settings, *(name for name in axes if name not in dropped), "mechanism", "metric"]
    if missing := [name for name in columns if name not in new.columns]:
        raise ValueError(f"the new table has no column {', '.join(missing)}: name it as COLUMN=NEW_NAME")
    added = [name for name in (*new_settings, *new_axes) if name not in columns]
    left, right = (keyed(table[table["metric"] != MEASURED], columns) for table in (old, new))
    both = left.index.intersection(right.index)
    a, b = left.loc[both], right.loc[both]
    same = np.all(
        [(a[name].to_numpy() == b[name].to_numpy()) | (a[name].isna() & b[name].isna()) for name in NUMBERS], 0
    )
    a, b = a[~same], b[~same]
    se = np.hypot(a["se"], b["se"]).to_numpy()
    difference = (b["mean"] - a["mean"]).to_numpy()
    z = difference[se > 0] / se[se > 0]
    rounding = np.isclose(a["mean"], b["mean"], rtol=1e-9, atol=1e-12)
    return {
        "rows": len(left),
        "same": int(same.sum()),
        "rounding": int(rounding.sum()),
        "exact_differ": int(((se == 0) & ~rounding).sum()),
        "simulated_differ": int(((se > 0) & ~rounding).sum()),
        "p_sum": float(special.chdtrc(len(z), float(z @ z))) if len(z) else 1.0,
        "z_largest": float(np.abs(z).max()) if len(z) else 0.0,
        "only_old": len(left.index.difference(right.index)),
        "only_new": len(right.index.difference(left.index)),
        "added": ",".join(added),
        "dropped": ",".join(dropped),
    }


def main() -> None:
    """Command line."""
    old_root, new_root = map(Path, sys.argv[1:3])
    renamed = dict(argument.split("=") for argument in sys.argv[3:])
    rows = []
    for path in sorted(new_root.glob("*/*.csv")):
        name = path.relative_to(new_root)
        if not (old_root / name).exists():
            print(f"{name}: new")
            continue
        old = read(old_root / name)
        old = old.rename(columns={a: b for a, b in renamed.items() if a in old.columns and b in read(path).columns})
        rows.append({"table": str(name.with_suffix("")), **compare(old, read(path))})
    found = pd.DataFrame(rows)
    print(found.to_string(index=False))
    tests = max(int(found["simulated_differ"].sum()), 1)
    largest = 2 * tests * special.ndtr(-found["z_largest"].max())
    faults = [
        *found.loc[found["exact_differ"] > 0, "table"],
        *found.loc[found["only_old"] > 0, "table"],
        *found.loc[found["p_sum"] < LEVEL / len(found), "table"],
    ]
    if faults or largest < LEVEL:
        sys.exit(f"differences beyond chance: {', '.join(dict.fromkeys(faults)) or 'the largest z-score'}")


if __name__ == "__main__":
    main()
