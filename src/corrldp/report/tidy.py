"""The audit's evidence as readers see it: names and numbers in words, nothing said twice."""

from __future__ import annotations

import re

from corrldp.words.numbers import MINUS, SMALLEST_P_VALUE, SUPERSCRIPTS, TIMES

COUNTS = re.compile(r"(\d+) satisfied, (\d+) violated, (\d+) undecided(?:; )?")
PRINTED = re.compile(r" is (?:true|false) for the printed .*", flags=re.DOTALL)
SIDES = re.compile(r"; (?=(?:holds|fails|cannot tell) with )")
SIDE = re.compile(r"(holds|fails|cannot tell) with ")


def evidence(text: str) -> str:
    """Return a sentence of evidence with names in words, spaces around signs, and numbers as elsewhere in the report.

    ``n1=20, p_step=1.5e-05`` becomes ``n1 = 20, p step = 1.5×10⁻⁵``; ``p = 3e-09`` becomes ``p < 0.001``.
    """
    text = re.sub(r"(?<=\bp = )[0-9.]+(?:e-[0-9]+)?(?![\w.])", _small, text).replace("p = <", "p <")
    text = re.sub(r"(?<=[0-9])e([-+]?)0*([0-9]+)\b", _power, text)
    text = re.sub(r"(?<![\w.,+^-])[0-9]{5,}(?!\w|[.,][0-9])", lambda found: f"{int(found[0]):,}", text)
    text = re.sub(r"(?<=\w)=(?=[^\s=])", " = ", text)
    text = re.sub(r"(?<![\w)])-(?=[0-9])", MINUS, text)
    text = re.sub(r"(?<=[a-z0-9]{2})_(?=\w)|(?<=\w)_(?=\w{2})", " ", text, flags=re.IGNORECASE)
    text = re.sub(r" \*\* ?", "^", text).replace(" == ", " = ").replace(" <= ", " ≤ ").replace(" >= ", " ≥ ")
    return re.sub(r"\binf\b", "∞", re.sub(r"\bin 1 runs\b", "in 1 run", text))


def reason(text: str) -> str:
    """Return why a check holds or fails, without what the numbers beside it say: counts, and numbers printed."""
    text = COUNTS.sub(_rest, PRINTED.sub("", text)).removesuffix("; ")
    return evidence("" if text == "exact numbers" else text)


def sides(depends: str) -> list[str]:
    """Return under which readings a check holds, fails or cannot tell: one sentence for each answer."""
    return [_side(part) for part in SIDES.split(depends)] if SIDE.match(depends) else []


def sentence(text: str) -> str:
    """Return a text with a capital, unless it starts with a name or a formula, and a full stop."""
    start = text[:1].upper() if re.match(r"[a-z]{2,} (?![=<>≤≥+*/^-])|[a-z]+:", text) else text[:1]
    return f"{start}{text[1:].removesuffix('.')}."


def told(text: str) -> str:
    """Return evidence as a whole sentence."""
    return evidence(sentence(text))


def _side(part: str) -> str:
    answer = SIDE.match(part)
    named = part[answer.end() :] if answer else part
    return f"{answer[1]} with: {named}" if answer and "; or " in named else part


def _rest(found: re.Match[str]) -> str:
    """Name violated and undecided comparisons if some are undecided; the effect counts the satisfied ones."""
    _, violated, undecided = map(int, found.groups())
    parts = [f"{count} {word}" for count, word in ((violated, "violated"), (undecided, "undecided")) if count]
    return f"{', '.join(parts)}; " if undecided else ""


def _small(found: re.Match[str]) -> str:
    return found[0] if float(found[0]) >= SMALLEST_P_VALUE else f"< {SMALLEST_P_VALUE}"


def _power(found: re.Match[str]) -> str:
    return f"{TIMES}10{(found[1].replace('+', '') + found[2]).translate(SUPERSCRIPTS)}"
