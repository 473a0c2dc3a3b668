"""The client in JavaScript, asked from Python."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ASKED = Path(__file__).parent / "vectors/client.mjs"


@pytest.fixture(scope="session")
def ask():
    """Function that runs the client in JavaScript."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: install the extra dev, or Node.js 20 or newer")

    def answer(**questions):
        done = subprocess.run([node, ASKED], input=json.dumps(questions), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer
