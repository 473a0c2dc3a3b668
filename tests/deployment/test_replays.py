"""Every report of a collection is counted once, and only there."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

import corrldp
from corrldp.__main__ import main
from corrldp.collection import Aggregator, Collection, ReplayError, Seen

PROTOCOL = corrldp.protocol("SMP[SS]", 2.0, (2, 4))


@pytest.fixture
def collection(place):
    """A collection in collection.json, and 20 of its reports in a.jsonl."""
    started = Collection(PROTOCOL).start()
    Path("collection.json").write_text(started.to_json())
    write("a.jsonl", [started.seal([j % 2, [j % 2]]) for j in range(20)])
    return started


def write(name, reports):
    Path(name).write_text("".join(json.dumps(report) + "\n" for report in reports))


def read(name):
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def test_a_replay_is_refused_with_its_line_or_left_out(collection, capsys, refused):
    first, *others = read("a.jsonl")
    write("b.jsonl", [collection.seal([0, [1]]), first])
    write("twice.jsonl", [first, *others, others[3]])
    line = refused("aggregate", "collection.json", "twice.jsonl")
    assert f"twice.jsonl, line 21: report {others[3]['id']} has" in line
    assert "b.jsonl, line 2: report " in refused("aggregate", "collection.json", "a.jsonl", "b.jsonl")
    assert main(["aggregate", "collection.json", "a.jsonl", "b.jsonl", "--skip", "--state", "s.json"]) == 0
    assert Aggregator.from_json(Path("s.json").read_text()).n == 21


def test_replays_are_found_in_later_runs_and_a_refused_run_leaves_no_trace(collection, capsys, refused):
    reports = read("a.jsonl")
    write("hostile.jsonl", [*reports[:5], {**reports[5], "report": [7, [0]]}])
    line = refused("aggregate", "collection.json", "hostile.jsonl", "--seen", "seen.db")
    assert "hostile.jsonl, line 6: 7 in a report" in line
    assert main(["aggregate", "collection.json", "a.jsonl", "--seen", "seen.db"]) == 0
    capsys.readouterr()
    assert "a.jsonl, line 1: report " in refused("aggregate", "collection.json", "a.jsonl", "--seen", "seen.db")
    write("new.jsonl", [collection.seal([0, [1]])])
    assert main(["aggregate", "collection.json", "new.jsonl", "--seen", "seen.db"]) == 0


def test_states_are_merged_once_whatever_their_names(collection, capsys, refused):
    write("b.jsonl", [collection.seal([0, [1]])])
    for name in ("a", "b"):
        assert main(["aggregate", "collection.json", f"{name}.jsonl", "--state", f"{name}.json"]) == 0
    assert main(["aggregate", "collection.json", "a.json", "b.json", "--state", "both.json"]) == 0
    capsys.readouterr()
    Path("copy.json").write_text(Path("a.json").read_text())
    assert "copy.json: part " in refused("estimate", "a.json", "copy.json")
    assert "both.json: part " in refused("estimate", "b.json", "both.json")
    assert "copy.json: part " in refused("aggregate", "collection.json", "both.json", "copy.json")
    both = Aggregator.from_json(Path("both.json").read_text())
    assert (both.n, len(both.parts)) == (21, 2)
    assert Aggregator.from_json(both.to_json()) == both
    with pytest.raises(ValueError, match=r"^parts are none, but n=21 reports were counted"):
        Aggregator.from_json(json.dumps({**json.loads(both.to_json()), "parts": []}))


def test_a_state_and_its_own_reports_are_not_counted_twice(collection, capsys, refused):
    assert main(["aggregate", "collection.json", "a.jsonl", "--state", "a.json", "--seen", "seen.db"]) == 0
    for files in (["a.json", "a.jsonl"], ["a.jsonl", "a.json"]):
        assert f"{files[1]}: reports beside a state" in refused("aggregate", "collection.json", *files)
    assert "a.jsonl, line 1: report " in refused(
        "aggregate", "collection.json", "a.json", "a.jsonl", "--seen", "seen.db"
    )
    write("new.jsonl", [collection.seal([0, [1]])])
    assert main(["aggregate", "collection.json", "a.json", "new.jsonl", "--seen", "seen.db", "--state", "b.json"]) == 0
    capsys.readouterr()
    assert Aggregator.from_json(Path("b.json").read_text()).n == 21


def test_what_belongs_elsewhere_is_refused(collection, refused):
    other = Collection(corrldp.protocol("RS+FD", 2.0, (2, 4))).start()
    Path("other.json").write_text(other.to_json())
    Path("protocol.json").write_text(PROTOCOL.to_json())
    write("other.jsonl", [other.seal([0, 1])])
    write("bare.jsonl", [[0, [1]]])
    write("more.jsonl", [{**collection.seal([0, [1]]), "name": "Ann"}])
    write("id.jsonl", [{**collection.seal([0, [1]]), "id": "0" * 31}])
    state = Aggregator(other).add([other.seal([0, 1])])
    [part] = state.parts
    Path("state.json").write_text(state.to_json())
    Path("lies.json").write_text(state.to_json().replace(f'"parts": ["{part}"]', '"parts": ["x"]'))
    assert f"other.jsonl, line 1: the report is of collection '{other.id}'" in refused(
        "aggregate", "collection.json", "other.jsonl"
    )
    assert "bare.jsonl, line 1: " in refused("aggregate", "collection.json", "bare.jsonl")
    assert "more.jsonl, line 1: " in refused("aggregate", "collection.json", "more.jsonl")
    assert "id.jsonl, line 1: id " in refused("aggregate", "collection.json", "id.jsonl")
    assert "state.json: the state is of collection" in refused("aggregate", "collection.json", "state.json")
    assert f"a.jsonl, line 1: the report is of collection '{collection.id}': take its document" in refused(
        "aggregate", "protocol.json", "a.jsonl"
    )
    assert "a.jsonl: this is no state" in refused("estimate", "a.jsonl")
    assert "lies.json: id 'x'" in refused("estimate", "lies.json")
    assert "--seen needs a collection" in refused("aggregate", "protocol.json", "bare.jsonl", "--seen", "s.db")
    assert "cannot keep what was seen" in refused("aggregate", "collection.json", "a.jsonl", "--seen", "a.jsonl")


def test_ids_are_kept_all_or_none():
    seen, one, two = Seen(), "0" * 32, "1" * 32
    with seen.adding([one]):
        pass
    for ids, twice in (([two, one], one), ([two, two], two)):
        with pytest.raises(ReplayError, match=twice), seen.adding(ids):
            pass
    with suppress(KeyError), seen.adding([two]):
        raise KeyError
    with seen.adding([two]):
        pass
    with seen.adding([None, None]):
        pass
