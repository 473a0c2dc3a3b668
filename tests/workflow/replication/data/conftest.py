"""A local HTTP server with paths that behave as a test defines."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


class Server:
    """Serve `answers[path]`, a list of answers used in turn; the last one is repeated.

    An answer is (status, body) or a function of the request handler. `requests` lists the requested paths.
    """

    def __init__(self):
        self.answers = {}
        self.requests = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                owner.requests.append(self.path)
                answers = owner.answers.get(self.path, [(404, b"not here")])
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if callable(answer):
                    answer(self)
                    return
                status, body = answer
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture(autouse=True)
def path_of_jobs(monkeypatch):
    """Let processes find the workflow's package, as Snakemake does."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[4] / "workflow"))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr("replication.data.download.BACKOFF", 0.01)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Server()
    yield running
    running.http.shutdown()
    running.http.server_close()
