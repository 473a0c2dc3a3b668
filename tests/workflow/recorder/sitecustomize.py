"""Each command of the package leaves a note of what it imported and which of the package's other files it opened."""

import atexit
import json
import os
import re
import sys
import uuid
from pathlib import Path

NOTES = os.environ.get("CORRLDP_TEST_NOTES")
OPENED = set()
OURS = {"claimaudit", "corrldp", "replication", "shared", "castell", "cpl", "jrr"}


def opens(event, arguments):
    ours = "/(src/(claimaudit|corrldp)|workflow/replication)/"
    if event == "open" and isinstance(arguments[0], str) and re.search(ours, arguments[0]):
        OPENED.add(arguments[0])


def note():
    """Write the note of this process, if it is a command of the package."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    if spec and spec.name.startswith(("claimaudit.", "corrldp.", "replication.")):
        content = {
            "command": spec.name.removesuffix(".__main__"),
            "arguments": sys.argv[1:],
            "modules": sorted(
                name
                for name, module in sys.modules.items()
                if name.partition(".")[0] in OURS and getattr(module, "__file__", None)
            ),
            "files": sorted(name for name in OPENED if not name.endswith(".py") and "/__pycache__/" not in name),
        }
        Path(NOTES, f"{uuid.uuid4().hex}.json").write_text(json.dumps(content))


if NOTES:
    Path(NOTES).mkdir(parents=True, exist_ok=True)
    sys.addaudithook(opens)
    atexit.register(note)
