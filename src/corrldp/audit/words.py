"""The words of verdicts; docs/verdicts.md says what they mean."""

REPRODUCED = "reproduced"
AS_RUN = "reproduced as run"
NOT_REPRODUCED = "not reproduced"
CONTRADICTED = "contradicted by the paper"
UNDECIDED = "undecided"
NO_DATA = "no data"
VERDICTS = (REPRODUCED, AS_RUN, NOT_REPRODUCED, CONTRADICTED, UNDECIDED, NO_DATA)

ANSWERS = {True: "holds", False: "fails", None: "undecided"}
"""What a check answers, in words."""

UNTESTED = "not tested"

CHANCE, WORD, GLYPH, READINGS = "chance", "word", "glyph", "readings"
WHY = (CHANCE, WORD, GLYPH, READINGS)
"""Why a claim is undecided: Monte-Carlo error, a vague word, a character that may be misread, the paper's setting."""
