"""A table of a paper, beside its printed numbers if there are any, as CSV (raw), Markdown (formatted), JSON (both)."""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit import results
from claimaudit.audit.fitting.exhibits import Exhibit
from claimaudit.checksums import sealed
from claimaudit.published import read_published
from claimaudit.report.comparison import Comparison, compare
from claimaudit.report.layout import pivot, sheet
from claimaudit.report.sheets import Sheet
from claimaudit.selection import select
from claimaudit.styles import TableStyle
from claimaudit.verdicts import Verdicts, read


def laid_out(
    setting: dict[str, Any], tables: dict[str, pd.DataFrame], printed: list[pd.DataFrame], verdicts: Verdicts
) -> Sheet:
    """Return a table as it is shown.

    Parameters
    ----------
    setting
        ``paper``, ``table``, ``title``, ``caption``, ``experiment``, ``style`` and ``exhibits``; see
        `claimaudit.papers.paper.Paper.table`.
    tables
        Result tables by experiment.
    printed
        Printed numbers.
    verdicts
        Those on the paper.
    """
    style = TableStyle.from_dict(setting["style"])
    if printed:
        numbers = pd.concat(printed, ignore_index=True)
        exhibits, known, names = Exhibit.load(setting), verdicts.exhibits, verdicts.names
        return compare(Comparison(style, setting["experiment"], tables, numbers, exhibits, known, names))
    rows = select(tables[setting["experiment"]], style.where, {"reading": style.reading})
    return sheet(pivot(rows, style), style)


def table_files(
    setting: dict[str, Any], tables: Iterable[Path], published: Iterable[Path] = (), verdicts: Path | None = None
) -> dict[str, bytes]:
    """Lay a table out from result tables, printed numbers and verdicts; return the contents of files by suffix.

    See `laid_out` for the setting.
    """
    table = laid_out(
        setting,
        {path.stem: results.read(path) for path in tables},
        [read_published(path) for path in published],
        read(verdicts) if verdicts else Verdicts(()),
    )
    return {
        "csv": table.to_csv().encode(),
        "md": table.to_markdown(setting["title"], setting["caption"]).encode(),
        "json": results.to_json(sealed(asdict(table))),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Command line; render all outputs before writing."""
    parser = argparse.ArgumentParser(prog="python -m claimaudit.report.table", description=__doc__)
    parser.add_argument("setting", type=json.loads, help="JSON with paper, table, title, caption, style, ...")
    parser.add_argument("csv", type=Path, help="output CSV")
    parser.add_argument("markdown", type=Path, help="output Markdown")
    parser.add_argument("json", type=Path, help="output JSON")
    parser.add_argument("results", type=Path, nargs="+", help="result tables (CSV), their records beside them")
    parser.add_argument("--published", type=Path, nargs="*", default=[], help="published numbers (CSV)")
    parser.add_argument("--verdicts", type=Path, nargs="?", help="verdicts on the paper (JSON)")
    options = parser.parse_args(argv)
    setting = options.setting
    try:
        contents = table_files(setting, options.results, options.published, options.verdicts)
    except ValueError as error:
        parser.exit(1, f"{setting['paper']} {setting['table']}: {error}\n")
    for suffix, path in (("csv", options.csv), ("md", options.markdown), ("json", options.json)):
        results.write_bytes(path, contents[suffix])


if __name__ == "__main__":
    main()
