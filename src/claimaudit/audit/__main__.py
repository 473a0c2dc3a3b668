"""Check the claims of one paper: ``python -m claimaudit.audit SETTING CLAIMS RESULT... OUT``.

SETTING is a JSON string, ``{"paper": "jrr", "level": 0.001, "family_level": 0.01}``, with what the paper's
configuration says of its exhibits and readings (`claimaudit.papers.paper.Paper.evidence`). A check passes at ``level``
and fails at a level that keeps the false-alarm rate of the whole paper at ``family_level``. The paper's printed numbers
are in published/ beside CLAIMS, a file that need not be there. Result tables are CSV files named after their
experiment, each with its record beside it. OUT is JSON: `claimaudit.verdicts.Verdicts`.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from claimaudit.audit.judging.files import judge_files
from claimaudit.results import write_sealed
from claimaudit.verdicts import Verdicts, adapter, plain


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m claimaudit.audit", description=__doc__)
    parser.add_argument("setting", type=json.loads, help="JSON with paper, level, family_level, exhibits, shared, ...")
    parser.add_argument("claims", type=Path)
    parser.add_argument("results", type=Path, nargs="*")
    parser.add_argument("out", type=Path)
    parser.add_argument("--searches", type=Path, nargs="*", default=[], help="tables of tried readings, by exhibit")
    options = parser.parse_args(arguments)
    try:
        verdicts = judge_files(options.setting, options.claims, options.results, options.searches)
        content = plain(verdicts)
        adapter(Verdicts).validate_python(content)
        write_sealed(options.out, content)
    except (OSError, ValueError) as error:
        sys.exit(f"audit: {error}")
    counts = Counter(verdict.verdict for verdict in verdicts.claims if verdict.counted)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
