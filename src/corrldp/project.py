"""Where the project is: files of the user's own are named relative to it, wherever the workflow runs."""

import os
from pathlib import Path


def project_file(name: str) -> Path:
    """Return the path of a file named relative to the project or, outside of the workflow, to the working directory."""
    return Path(os.environ.get("CLAIMAUDIT_PROJECT", "")) / name
