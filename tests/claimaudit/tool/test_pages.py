"""The pages on the command claimaudit, followed literally: files, commands and their output."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"(?:^`(?P<file>[^`\n]+)`\n\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = {"awk", "yaml", "csv", "sh"}
PAGES = {"audit-your-paper": [1, 0, 0], "review-a-csv": [1, 0], "guard-a-readme": [0, 1]}
"""The exit statuses of the commands that end blocks, by page."""


@pytest.mark.parametrize("page", PAGES)
def test_the_page_does_what_it_says(page, tmp_path):
    program = tmp_path / "bin/claimaudit"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m claimaudit "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    statuses, said = [], ""
    for block in BLOCK.finditer((ROOT / f"docs/{page}.md").read_text(encoding="utf-8")):
        if block["file"]:
            assert block["kind"] in FILES
            path = tmp_path / block["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "sh":
            done = subprocess.run(
                ["sh", "-c", block["text"]], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert done.stderr == ""
            said = " ".join(done.stdout.split())
            statuses += [done.returncode] if "claimaudit" in block["text"] else []
        else:
            assert block["kind"] == "text"
            assert said
            for line in block["text"].splitlines():
                assert " ".join(line.split()) in said
    assert statuses == PAGES[page]
