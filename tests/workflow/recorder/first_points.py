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


def run(arguments, target):
    from claimaudit.experiments.__main__ import main

    main(arguments)
    target.write_text(json.dumps([name for name in sys.modules if name.partition(".")[0] == "corrldp"]))


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
