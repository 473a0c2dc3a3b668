"""Check the claims of one paper: ``python -m corrldp.audit SETTING CLAIMS PUBLISHED_DIR RESULT... OUT``.

SETTING is a JSON string, ``{"paper": "jrr", "level": 0.001}``; the level is the false-alarm rate of one
check. Result tables are CSV files named after their experiment, each with its record beside it.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from corrldp.audit.claims import ClaimError, load
from corrldp.audit.verdicts import Result, judge
from corrldp.results import read, read_record, to_json, write_bytes


def audit(paper: str, level: float, claims: list[dict], results: dict[str, Result], published: Path) -> list[dict]:
    """Judge all claims, in their order; each claim that cannot be checked has its line in the error."""
    if not 0 < level < 0.5:
        raise ValueError(f"level is {level}; it must lie between 0 and 0.5")
    verdicts, errors = [], []
    for claim in claims:
        try:
            verdicts.append(judge(claim, paper, level, results, published))
        except ClaimError as error:
            errors.append(str(error))
    if errors:
        raise ClaimError("\n".join(errors))
    return verdicts


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m corrldp.audit", description=__doc__)
    parser.add_argument("setting", type=json.loads, help="JSON with paper and level")
    parser.add_argument("claims", type=Path)
    parser.add_argument("published", type=Path)
    parser.add_argument("results", type=Path, nargs="*")
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments)
    try:
        results = {path.stem: Result(read(path), tuple(read_record(path)["standin"])) for path in options.results}
        claims = load(options.claims)
        verdicts = audit(options.setting["paper"], options.setting["level"], claims, results, options.published)
        write_bytes(options.out, to_json(verdicts))
    except (OSError, ValueError) as error:
        sys.exit(f"audit: {error}")
    counts = Counter(record["verdict"] for record in verdicts)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
