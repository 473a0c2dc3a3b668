"""Command line of the report: render verdicts, figures, tables and records as HTML pages."""

from __future__ import annotations

from collections.abc import Sequence

from corrldp.report import command, page


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.report.command.run`."""
    command.run(__doc__, lambda document: {name: text.encode() for name, text in page.render(document).items()}, argv)


if __name__ == "__main__":
    main()
