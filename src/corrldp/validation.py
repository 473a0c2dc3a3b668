"""JSON schemas as they are needed here: without the grammar of web addresses, and with definitions in their places.

Compiling that grammar takes most of a second, and no schema here has an address.
"""

import sys
from collections.abc import Mapping
from typing import Any

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
import jsonschema  # noqa: E402

del sys.modules["rfc3987_syntax"]

__all__ = ["inlined", "jsonschema"]


def inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return a schema with definitions, none of which contains itself, in place of the references to them.

    The validator looks up each reference anew for each content, which takes longer than to check it.
    """
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            own = {key: entry for key, entry in schema.items() if key != "$ref"}
            schema = {**definitions[schema["$ref"].removeprefix("#/$defs/")], **own}
        return {key: inlined(entry, definitions) for key, entry in schema.items()}
    return [inlined(entry, definitions) for entry in schema] if isinstance(schema, list) else schema
