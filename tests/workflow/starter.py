"""Runs of snakemake on demand: one process imports snakemake, which takes seconds, and forks for each run.

Reads requests from its standard input, one JSON object ``{"directory", "environment", "arguments", "output"}`` a line,
and answers each with the exit status of snakemake.
"""

import json
import os
import sys
from pathlib import Path

import snakemake.cli


def run(directory, environment, arguments, output):
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    with Path(output).open("w") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    snakemake.cli.main(arguments)


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        run(**json.loads(line))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
