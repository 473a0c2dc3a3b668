"""The verdict words."""

REPRODUCED = "reproduced"
OTHER_READING = "reproduced under another reading"
NOT_REPRODUCED = "not reproduced"
CONTRADICTORY = "self-contradictory"
UNTESTED = "untested"
VERDICTS = (REPRODUCED, OTHER_READING, NOT_REPRODUCED, CONTRADICTORY, UNTESTED)
