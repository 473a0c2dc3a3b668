"""The kinds of figure that configuration names are the modules that draw."""

from importlib import import_module
from pathlib import Path

from claimaudit import plots
from claimaudit.styles import PLOTS


def test_kinds_of_figure_are_the_modules_that_draw():
    (folder,) = map(Path, plots.__path__)
    modules = {path.stem: import_module(f"claimaudit.plots.{path.stem}") for path in folder.glob("[a-z]*.py")}
    assert sorted(PLOTS) == sorted(name for name, module in modules.items() if hasattr(module, "main"))
