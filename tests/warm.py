"""Python commands that begin warm: one process imports the large libraries, and forks for each command.

Starting Python, and importing pandas, matplotlib or snakemake, takes longer than most jobs of small workflows. The
packages of this project are not among what is imported before, so that a command finds those of its own project.

Run as a script, it imports the libraries that its arguments name after the first, at whose socket it answers. A request
is one JSON object ``{"directory", "environment", "module", "arguments"}``, with the files for input, output and errors;
the answer is the exit status.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path

LIBRARIES = (
    *("numpy", "pandas", "pyarrow", "pydantic", "requests", "tabulate", "threadpoolctl", "yaml", "jinja2"),
    *("scipy.optimize", "scipy.sparse", "scipy.special", "sklearn.linear_model", "itables", "seaborn", "typst"),
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf"),
    *("matplotlib.backends.backend_svg", "nbconvert", "nbclient", "snakemake.cli"),
)
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
if sys.argv[1:2] != ["-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
_, _, module, *arguments = sys.argv
request = {{"directory": os.getcwd(), "environment": dict(os.environ), "module": module, "arguments": arguments}}
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"-"], [0, 1, 2])
server.sendall(json.dumps(request).encode())
server.shutdown(socket.SHUT_WR)
sys.exit(int(server.recv(9) or 1))
"""


@contextmanager
def started(libraries=LIBRARIES):
    """Yield a directory with a command ``python`` that asks the process that forks for what ``python -m`` would do."""
    elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket is short
        address, python = f"{folder}/socket", Path(folder, "python")
        command = [sys.executable, __file__, address, *libraries]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=elsewhere)
        try:
            server.stdout.readline()  # it listens
            python.write_text(CLIENT.format(python=sys.executable, address=address))
            python.chmod(0o755)
            yield Path(folder)
        finally:
            server.terminate()
            server.communicate()


def serve(address, *libraries):
    os.environ |= {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}
    for name in libraries:
        importlib.import_module(name)
    gc.freeze()  # so that collections in a fork leave its memory shared
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        print("ready", flush=True)
        while True:
            connection, _ = server.accept()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if os.fork() == 0:
                server.close()
                answer(connection)
            connection.close()


def answer(connection):
    _, files, _, _ = socket.recv_fds(connection, 1, 3)
    request = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    status = run(**json.loads(request))
    connection.sendall(str(status).encode())
    os._exit(status)


def run(directory, environment, module, arguments):
    """Do what ``python -m`` does in a directory and an environment; return the exit status."""
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:1] = [directory, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = [module, *arguments]
    importlib.invalidate_caches()
    sys.modules.pop("sitecustomize", None)
    status = 0
    try:
        with suppress(ModuleNotFoundError):
            importlib.import_module("sitecustomize")
        runpy._run_module_as_main(module)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if not isinstance(ended.code, int | None):
            print(ended.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    serve(*sys.argv[1:])
