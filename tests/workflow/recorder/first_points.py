"""Run the first point of experiments, each in a fork of this process, and print the modules that each imported.

Reads the arguments of the commands from standard input, as JSON; imports nothing of the package before it forks.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np  # noqa: F401 (once for all)
import pandas as pd  # noqa: F401
import pydantic  # noqa: F401

OURS = {"claimaudit", "corrldp", "castell", "corr_rr", "cpl", "jrr"}


def run(arguments, target):
    from claimaudit.experiments.__main__ import main

    main(arguments)
    ours = [name for name, module in sys.modules.items() if name.partition(".")[0] in OURS and module.__file__]
    target.write_text(json.dumps(ours))


place, found = Path(sys.argv[1]), {}
for name, arguments in json.load(sys.stdin).items():
    target = place / "modules"
    target.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        run(arguments, target)
        os._exit(0)
    os.waitpid(child, 0)
    if not target.exists():
        sys.exit(f"{name} failed")
    found[name] = json.loads(target.read_text())
print(json.dumps(found))
