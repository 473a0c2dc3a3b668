"""What comes after a study: the protocol as a file, code for clients and servers, words for a privacy notice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from claimaudit.words.numbers import listed
from corrldp.formats import EXAMPLE, at_most, digits, percent
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import protocol as build
from corrldp.study.leakage import convinced, odds
from corrldp.study.markup import environment
from corrldp.study.names import PUBLIC, READING
from corrldp.study.output import Tables, middle

FILES = PROTOCOL, QUESTIONS, PAGE = "protocol.json", "questions.json", "collect.html"
SETTINGS = "settings.yaml"

CLIENT = """\
import json
from bisect import bisect
from pathlib import Path
from corrldp import Client, deployment_rng, protocol_from_json

questions = json.loads(Path("questions.json").read_text())
client = Client(protocol_from_json(Path("protocol.json").read_text()))

def code(question, answer):
    if "bins" in question:
        return min(max(bisect(question["bins"], answer), 1), len(question["bins"]) - 1) - 1
    return question["values"].index(answer)

answers = {answers}
record = [code(question, answers[question["name"]]) for question in questions]
print(json.dumps(client.report(record, deployment_rng())))
"""

SERVER = """\
import json
from pathlib import Path
from corrldp import Aggregator, protocol_from_json

questions = json.loads(Path("questions.json").read_text())
server = Aggregator(protocol_from_json(Path("protocol.json").read_text()))
for line in open("reports.jsonl"):
    server.add([json.loads(line)])
found = server.estimate()
low, high = found.interval(0.95)
for j, question in enumerate(questions):
    for v, value in enumerate(question["values"]):
        print(f"{question['name']} = {value}: {found.frequencies[j][v]:.1%}, {low[j][v]:.1%} to {high[j][v]:.1%}")
"""


@dataclass(frozen=True)
class Next:
    """What is needed to collect with a protocol.

    Attributes
    ----------
    protocol : RecordProtocol
    why : str
        Why this one.
    questions : list of dict
        For each attribute its name, its values in the order of their codes, and the bounds of bins, if it has any.
    """

    protocol: RecordProtocol
    why: str
    questions: list[dict[str, Any]]

    @property
    def client(self) -> str:
        """A client in Python: one user's answers become a report."""
        answers = {one["name"]: one["bins"][0] if "bins" in one else one["values"][0] for one in self.questions}
        return CLIENT.replace("{answers}", repr(answers))

    @property
    def server(self) -> str:
        """A server in Python: reports become estimates."""
        return SERVER

    @property
    def notice(self) -> list[str]:
        """See `notice`."""
        return notice(self.protocol, [one["name"] for one in self.questions])

    def files(self) -> dict[str, str]:
        """Return the files by name, the page included."""
        page = environment().get_template("collect.html").render(title="Collect with it", next=self)
        return {
            PROTOCOL: self.protocol.to_json() + "\n",
            QUESTIONS: json.dumps(self.questions, indent=1) + "\n",
            PAGE: page,
        }


def notice(protocol: RecordProtocol, names: Sequence[str]) -> list[str]:
    """Return the guarantee of a protocol in words, for a privacy notice; `names` (d,) are those of the attributes."""
    guarantee = protocol.guarantee()
    whole = float(odds(guarantee.record))
    parts = [
        f"{name} {digits(float(odds(epsilon)), upwards=True)}"
        for name, epsilon in zip(names, guarantee.attributes, strict=True)
    ]
    after = float(convinced(EXAMPLE, whole))
    single = f" For single answers the factor is at most: {listed(parts)}." if len(parts) > 1 else ""
    return [
        "Your device changes your answers at random before anything is sent. Only this changed report leaves it; "
        "nobody, and we neither, can undo the change.",
        "Whatever your report says, people with any other answers send the same one with a probability that "
        f"differs by a factor of at most {digits(whole, upwards=True)}.{single}",
        f"So whoever holds something about your answers to be likely with {percent(EXAMPLE)} can be convinced by "
        f"your report up to {at_most(after)}, but no further, whatever else they know.",
        f"In technical terms: {protocol.describe()['name']}, local differential privacy of the whole report "
        f"with epsilon = {digits(guarantee.record, upwards=True)}. This holds for one report; the factors of "
        "several reports multiply.",
    ]


def after_study(tables: Tables, about: dict[str, Any]) -> Next | None:
    """Return what comes after a study: the choice from public facts at the middle budget, if there is one."""
    chosen, epsilon = tables["recommendation"], middle(about)
    rows = chosen[(chosen["basis"] == PUBLIC) & (chosen["epsilon"] == epsilon)]
    if rows.empty:
        return None
    name, collected = str(rows.iloc[0]["protocol"]), about["collected"]
    why = f"{name} is the choice from public facts at ε = {epsilon:g}, the budget of a whole record"
    questions = [_question(one) for one in about["facts"]["columns"] if one["name"] in collected]
    return Next(build(name, epsilon, tuple(collected.values())), why, questions)


def _question(column: dict[str, Any]) -> dict[str, Any]:
    bins = {"bins": column["domain"]["bins"]} if "bins" in column["domain"] else {}
    return {"name": column["name"], "values": column["values"], **bins}


def settings_of(about: dict[str, Any]) -> str:
    """Return the settings of a study as YAML, with every domain as it was used, to be corrected and used again."""
    facts = about["facts"]
    kept = {key: value for key, value in about["settings"].items() if key not in ("file", *READING)}
    domains = {one["name"]: one["domain"] for one in facts["columns"]}
    left_out = [one["name"] for one in facts["left_out"]]
    found = {**facts["options"], "columns": domains, "leave_out": left_out, **kept}
    return yaml.safe_dump(found, allow_unicode=True, sort_keys=False, default_flow_style=None, width=120)
