"""The page on collections is a session: its commands print what it says."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import warm

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/collecting.md").read_text(encoding="utf-8")
SESSION = [line for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_the_commands_print_what_the_page_says(tmp_path):
    commands = [line.removeprefix("$ ") for line in SESSION if line.startswith("$ ")]
    assert len(commands) >= 4
    shell = ['corrldp() { python -m corrldp "$@"; }']
    for command in commands:
        shell += [f"cat <<'END'\n$ {command}\nEND", command]
    with warm.started(("numpy", "scipy.optimize", "scipy.special", "scipy.stats")) as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PATH": f"{folder}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "-c", "exec 2>&1\n" + "\n".join(shell)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
    assert done.stdout.splitlines() == SESSION
