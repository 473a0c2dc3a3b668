"""Check the claims of one paper: ``python -m corrldp.audit SETTING CLAIMS RESULT... OUT``.

SETTING is a JSON string, ``{"paper": "jrr", "level": 0.001, "family_level": 0.01}``. A check passes at ``level`` and
fails at a level that keeps the false-alarm rate of the whole paper at ``family_level``. The optional ``words`` map
the readings of each experiment, by name, to their descriptions. The paper's printed numbers are in published/ID/ beside
the directory of CLAIMS. Result tables are CSV files named after their experiment, each with its record beside it.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from corrldp.audit.claims import ClaimError, load
from corrldp.audit.evidence import Claim, Levels
from corrldp.audit.records import validated
from corrldp.audit.verdicts import Case, Result, judge, prepare
from corrldp.results import read, read_record, to_json, write_bytes


def audit(
    paper: str, levels: Levels, claims: list[Claim], results: dict[str, Result], published: Path
) -> list[dict[str, Any]]:
    """Judge all claims of a paper, in order.

    ``levels.failing`` bounds the probability that any claim that is true under the strict reading fails by chance. It
    is divided evenly among the claims that can fail by chance: those whose strict check rests on simulation
    (Bonferroni).
    """
    for name, level in (("level", levels.passing), ("family_level", levels.failing)):
        if not 0 < level < 0.5:
            raise ValueError(f"{name} is {level}; it must lie between 0 and 0.5")
    cases = _prepared(claims, results, published)
    simulated = sum(case.rests_on_simulation() for case in cases)
    share = min(levels.passing, levels.failing / max(simulated, 1))
    return [judge(case, paper, Levels(levels.passing, share)) for case in cases]


def _prepared(claims: list[Claim], results: dict[str, Result], published: Path) -> list[Case]:
    """Prepare all claims; the error has one line for each claim that cannot be checked."""
    cases, errors = [], []
    for claim in claims:
        try:
            cases.append(prepare(claim, results, published))
        except ClaimError as error:
            errors.append(str(error))
    if errors:
        raise ClaimError("\n".join(errors))
    return cases


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m corrldp.audit", description=__doc__)
    parser.add_argument("setting", type=json.loads, help="JSON with paper, level, family_level and words")
    parser.add_argument("claims", type=Path)
    parser.add_argument("results", type=Path, nargs="*")
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments)
    try:
        words = options.setting.get("words", {})
        results = {
            path.stem: Result(read(path), tuple(read_record(path)["standin"]), words.get(path.stem, {}))
            for path in options.results
        }
        claims = load(options.claims)
        levels = Levels(options.setting["level"], options.setting["family_level"])
        published = options.claims.parent.parent / "published" / options.setting["paper"]
        verdicts = audit(options.setting["paper"], levels, claims, results, published)
        write_bytes(options.out, to_json(validated(verdicts)))
    except (OSError, ValueError) as error:
        sys.exit(f"audit: {error}")
    counts = Counter(record["verdict"] for record in verdicts)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
