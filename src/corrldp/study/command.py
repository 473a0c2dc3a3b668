"""The command `corrldp study`: a study of a file, without a workflow.

What draws and computes is imported when it is needed, so that help and mistakes take no time.
"""

import argparse
import textwrap
from pathlib import Path
from typing import get_args

from claimaudit.names import ConfigurationError
from corrldp.study.settings import StudySettings, Treatment, load, parse

OUT = Path("study")
WIDTH = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, its settings and where the study goes."""
    parser.add_argument(
        "file", type=Path, nargs="?", help="the table: CSV, Excel or Parquet; else `file` in the settings"
    )
    parser.add_argument(
        "--domains",
        "--settings",
        dest="settings",
        type=Path,
        metavar="FILE",
        help="YAML with the columns' public domains and all other settings, as config/study.yaml",
    )
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"where the page goes (default: {OUT})")
    parser.add_argument("--encoding", help="of a CSV file, such as latin-1 (default: UTF-8)")
    parser.add_argument("--delimiter", help="of a CSV file, or tab (default: whichever splits the first line most)")
    parser.add_argument("--decimal", help="the decimal sign, . or , (default: that of most numbers of a CSV file)")
    parser.add_argument(
        "--bins",
        action="append",
        type=_bins,
        default=[],
        metavar="COLUMN=0,20,50",
        help="public bounds of a column of numbers; numbers beyond count in the first or last bin; repeat for others",
    )
    parser.add_argument(
        "--missing-text",
        action="append",
        default=[],
        metavar="TEXT",
        help="one more text that stands for no value, such as unknown; repeat for others",
    )
    parser.add_argument(
        "--missing",
        choices=get_args(Treatment),
        help="a record without a value: drop it, or keep it with the value 'missing'",
    )
    parser.add_argument("--epsilons", type=_numbers, metavar="E,...", help="budgets of a whole record")
    for name, what in (
        ("leave-out", "ignore these columns"),
        ("sensitive", "columns that nobody collects, and about which the others may reveal something"),
        ("protocols", "the protocols to compare"),
    ):
        parser.add_argument(f"--{name}", type=_list, metavar="X,...", help=what)
    parser.add_argument("--most-values", metavar="N", help="leave out columns with more values (default: 64)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the file, write the study, answer in the terminal, and say where the page is."""
    settings = _settings(arguments)
    file = arguments.file or (Path(settings.file) if settings.file else None)
    if file is None:
        raise ConfigurationError("name the table: corrldp study my.csv, or write file: my.csv into the settings")
    from corrldp.study import words
    from corrldp.study.collecting import PAGE
    from corrldp.study.study import Progress, Study

    study = Study(file, settings, progress=Progress("corrldp study"))
    words.tell("corrldp study", study.warnings())
    page = study.write(arguments.out)
    words.tell("corrldp study", study.gaps())
    for answer in study.answers():
        print(textwrap.fill(f"{answer.text} {answer.detail}".strip(), WIDTH, subsequent_indent="  "))
    print(f"The study is {page}; it is computed from the records and not private")
    if (arguments.out / PAGE).is_file():
        print(f"To collect with it: {arguments.out / PAGE}")
    return 0


def _settings(arguments: argparse.Namespace) -> StudySettings:
    found = load(arguments.settings) if arguments.settings else StudySettings()
    given = {name: value for name, value in vars(arguments).items() if name in StudySettings.model_fields}
    changes = {name: value for name, value in given.items() if value is not None and name != "file"}
    texts = list(dict.fromkeys([*found.missing_texts, *arguments.missing_text]))
    columns = {**found.columns, **dict(arguments.bins)}
    return parse({**found.model_dump(), **changes, "missing_texts": texts, "columns": columns})


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _numbers(text: str) -> list[float]:
    try:
        return list(map(float, _list(text)))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be numbers with commas between them, such as 0.5,1,2"
        ) from None


def _bins(text: str) -> tuple[str, dict[str, object]]:
    name, equals, bounds = text.rpartition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} must be a column and its bounds, such as income=0,20000,50000")
    return name, {"bins": _list(bounds), "outside": "clip"}
