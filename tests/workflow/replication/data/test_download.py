"""Downloads from a local server: which failures are retried, and that time is bounded."""

import socket
import time
from collections import Counter
from contextlib import suppress

import pytest
import requests

from replication.data.download import Budget, SourceError, download
from replication.data.store import Limits

pytestmark = pytest.mark.thorough

# No test waits for these times; on a busy machine an honest answer may take seconds.
QUICK = {"connect_timeout": 10, "read_timeout": 10, "retries": 2, "budget_seconds": 60}


def get(server, **policy):
    return download(f"{server.url}/file", Budget(Limits(**{**QUICK, **policy})), "toy")


def announcing(length, body=b"body", pause=0, then=0):
    """Return an answer that announces a length and sends a body, with a pause after each byte and then a rest.

    No test waits for its thread.
    """

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", length)
        handler.end_headers()
        with suppress(OSError):  # the client has gone
            for byte in body:
                handler.wfile.write(bytes([byte]))
                time.sleep(pause)
            time.sleep(then)

    return answer


CUT_OFF = announcing("1004")


def hang_up(handler):
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("failure", [(429, b"busy"), (500, b"busy"), (503, b"busy"), CUT_OFF, hang_up])
def test_a_passing_failure_is_tried_again(server, failure):
    server.answers["/file"] = [failure, failure, (200, b"body")]
    assert get(server) == b"body"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("failure", "words", "requests"),
    [
        ((500, b"broken"), "^HTTP 500$", 3),
        (CUT_OFF, "truncated: 4 of 1004 bytes", 3),
        *(((status, b"gone"), f"HTTP {status}", 1) for status in (403, 404, 410)),
    ],
)
def test_retries_are_limited_and_none_for_what_lasts(server, failure, words, requests):
    server.answers["/file"] = [failure]
    with pytest.raises(SourceError, match=words):
        get(server)
    assert len(server.requests) == requests


def without_connection(host="http://data.invalid", **policy):
    """Return the seconds after which two downloads from a host have failed."""
    budget, started = Budget(Limits(**{**QUICK, **policy})), time.monotonic()
    for path in ("file", "other"):
        with pytest.raises(SourceError, match=r"^no connection$"):
            download(f"{host}/{path}", budget, "toy")
    return time.monotonic() - started


@pytest.mark.parametrize("proxy", ["", "http://127.0.0.1:9"])
def test_a_host_without_a_name_is_left_at_once(monkeypatch, proxy):
    """As all are on a machine without a network, with or without a proxy."""
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setattr("replication.data.download.BACKOFF", 2)
    connect = Counter()

    def unknown(*_, **__):
        connect["tried"] += 1
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    without_connection()
    assert connect["tried"] == 1


def test_a_host_that_does_not_answer_costs_one_timeout(monkeypatch):
    def silent(*_, timeout, **__):
        time.sleep(timeout[0])
        raise requests.ConnectTimeout("no answer")

    monkeypatch.setattr("requests.get", silent)
    assert without_connection(connect_timeout=0.2) < 1


def test_a_server_that_is_silent_or_trickles_costs_the_budget_at_most(server):
    started = time.monotonic()
    for answer, words in (
        (lambda handler: time.sleep(60), r"no answer in time|timed out|too slow"),  # in a thread that no test waits for
        (announcing("10000", b"x" * 10_000, pause=0.02), r"too slow: the budget of 0.5 s is used up"),
    ):
        server.answers["/file"] = [answer]
        with pytest.raises(SourceError, match=words):
            get(server, budget_seconds=0.5, read_timeout=60)
    assert time.monotonic() - started < 30


def test_slow_but_honest_line_may_exceed_the_budget(server, monkeypatch):
    """50 bytes at 50 bytes/s take a second, or more on a busy machine; at 2 bytes/s at least, they add 25."""
    monkeypatch.setattr("replication.data.download.MINIMUM_RATE", 2)
    server.answers["/file"] = [announcing("50", b"x" * 50, pause=0.02)]
    assert get(server, budget_seconds=0.5) == b"x" * 50


def test_stalled_body_times_out(server):
    server.answers["/file"] = [announcing("10", then=30)]
    with pytest.raises(SourceError, match="timed out while reading"):
        get(server, read_timeout=0.2, retries=0)


def test_budget_is_shared_by_all_sources(server):
    budget = Budget(Limits(**QUICK), started=time.monotonic() - 61)
    with pytest.raises(SourceError, match="too slow"):
        download(f"{server.url}/file", budget, "toy")
    assert server.requests == []


@pytest.mark.parametrize("length", ["many", "-1", "9" * 5000])
def test_a_malformed_length_is_no_reason_to_give_up_or_a_fault_of_the_source(server, length):
    """Either the body arrives or the next source is tried, at once and not when the budget is used up."""
    server.answers["/file"] = [announcing(length)]
    started = time.monotonic()
    with suppress(SourceError):
        assert get(server, retries=0) == b"body"
    assert time.monotonic() - started < 30
