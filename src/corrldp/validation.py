"""jsonschema without the grammar of web addresses: compiling it takes most of a second, and no schema here has one."""

import sys

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
import jsonschema  # noqa: E402

del sys.modules["rfc3987_syntax"]

__all__ = ["jsonschema"]
