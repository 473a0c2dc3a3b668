"""Versioned JSON documents: what one may contain, checked before anything is built from it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from corrldp.arrays import in_short
from corrldp.mechanisms.validation import MOST_VALUES, check_epsilon, check_integer

VERSION = 1
MOST_USERS = 10**12
MOST_ATTRIBUTES = 2**12

Json = Any
"""A value as JSON has it."""


def dump(kind: str, content: Mapping[str, Any]) -> str:
    """Return a document as one line of JSON."""
    return json.dumps({"corrldp": kind, "version": VERSION, **content}, allow_nan=False)


def load(kind: str, text: str, keys: Sequence[str], more: Sequence[str] = ()) -> dict[str, Any]:
    """Return the content of a document, or raise ValueError unless it has the kind, version and keys, `more` or not."""
    content = parse(text)
    if not isinstance(content, dict) or content.get("corrldp") != kind:
        raise ValueError(f'the document is no corrldp {kind}: it must have "corrldp": "{kind}"')
    version = content.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise ValueError(f"the {kind} is of another version than {VERSION}: read it with the corrldp that wrote it")
    del content["corrldp"]
    if not set(keys) <= set(content) <= {*keys, *more}:
        raise ValueError(f"the {kind} has {in_short(sorted(content))} but must have {sorted(keys)}")
    return content


def parse(text: str | bytes) -> Json:
    """Return what a text of JSON has, or its bytes in UTF-8, or raise ValueError of one line."""
    try:
        if isinstance(text, bytes):
            text = text.decode().removeprefix("\ufeff")
        return DECODER.decode(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {str(error).splitlines()[0]}") from error


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return an object of JSON, or raise ValueError if it has a key twice, of which readers differ in what counts."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"the key {in_short(twice)} appears twice in one object")
    return content


DECODER = json.JSONDecoder(object_pairs_hook=_unique)
"""Made once: `json.loads` with a hook makes one for each text, which takes longer than to read a report."""


def as_json(value: object) -> Json:
    """Return a value as JSON has it, tuples as lists; others are a ValueError."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{in_short(value)} cannot be written as JSON") from error


def text(value: object, name: str) -> str:
    """Return a text, or raise ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"{name}={in_short(value)} must be a text")
    return value


def as_tuples(value: Json) -> Json:
    """Return a value with tuples for lists, as the fields of protocols have them."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def check_parameters(epsilon: object, sizes: object) -> tuple[float, tuple[int, ...]]:
    """Return budget and domain sizes as they stand in a document; those of another type or range are a ValueError."""
    if not isinstance(sizes, list):
        raise ValueError(f"sizes={in_short(sizes)} must be a list")
    check_integer(len(sizes), "the number of sizes", 1, MOST_ATTRIBUTES)
    domains = tuple(check_integer(size, "k", 2, MOST_VALUES) for size in sizes)
    check_integer(len(domains) * max(domains), "the number of attributes times the largest domain", 2, MOST_VALUES)
    return check_epsilon(epsilon), domains
