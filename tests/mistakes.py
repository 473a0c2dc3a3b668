"""Tables of mistakes in configuration."""

import pytest


def mistaken(names, table, **shown):
    """Parametrize a test by the rows of a table: ``old -> new | cell | ...``; ``\\n`` is the end of a line.

    `names` are those of all cells; what `shown` has stands for longer texts.
    """
    cases = []
    for line in table.strip("\n").splitlines():
        for name, text in shown.items():
            line = line.replace(f"<{name}>", text)
        old, *cells = line.replace("\\n", "\n").split(" | ")
        cases.append(pytest.param(*old.split(" -> "), *cells, id=f"{' '.join(cells)}: {old.partition(' -> ')[2]}"[:80]))
    return pytest.mark.parametrize(names, cases)
