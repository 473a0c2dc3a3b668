"""What would fail or hang late is refused when planning: names and conditions of figures, doubled and huge numbers."""

import re

import pytest
from mistakes import mistaken

pytestmark = pytest.mark.thorough

SHOWN = {
    "figure": "style: {<<: *over_epsilon, y: are, scale: {x: log}, ratio_to: RR",
    "style": "exhibits.fig3b.style",
    "size": "experiments.section_5_3_5.setting.n",
    "runs": "axes: &practical [*steps, *rule]}",
    "lacking": r"\nexperiments:\n",
    "census": r"\nlacking:\n  census:",
}
LATE = r"""
<figure>} -> style: {<<: *over_epsilon, y: cells} | <style>.y | no metric 'cells' in the result table
<figure>} -> <figure>, x: epsilo} | <style>.x | no column 'epsilo' .*; did you mean epsilon?
<figure>} -> <figure>, show: {m: 1}} | <style>.show | no column 'm' in the result table
<figure>} -> <figure>, show: {mechanism: [RR, JR]}} | <style>.show | no mechanism 'JR' .*did you mean J
<figure>} -> <figure>, where: n == 3} | <style>.where | 'n == 3' selects no row
<figure>} -> <figure>, where: metric == 'are' and n > 10 and n < 5} | <style>.where | selects no row
<figure>} -> <figure>, labels: {panel: "{no}"}} | <style>.labels | no column 'no' in the result
<figure>} -> <figure>, boxes: {a: {at: [0, 0]}}} | <style>.boxes | the key is missing
index: [case], formats -> index: [casee], formats | exhibits.table1.style.index | no column 'casee' .*case
setting: {n: [5000]} -> setting: {n: [5000, 5000]} | <size> | 5000 is listed twice
setting: {n: [5000]} -> setting: {n: [100000000000000000000]} | <size>.0 | less than or equal
[kosarak] -> [kosarok] | data.Kosarak.datasets.0 | no data set 'kosarok'.*did you mean kosarak
<lacking> -> <census> {data: Census, because: user}<lacking> | lacking.census.because | no data set of .* kind user_file
<lacking> -> <census> {data: Cens, because: user}<lacking> | lacking.census.data | 'Cens'.*did you mean Census
<runs> -> runs: 1000000000000000, <runs> | experiments.privacy.runs | must be less than or equal to
"""
"""Text of papers/jrr/paper.yaml and its replacement, key, words."""


@mistaken(("old", "new", "key", "words"), LATE, **SHOWN)
def test_what_fails_late_is_refused_early(copy, old, new, key, words):
    copy.replace("papers/jrr/paper.yaml", old, new)
    lines = copy.refused()
    assert len(lines) == 1, lines
    assert re.match(rf"papers/jrr/paper.yaml, line \d+: {key.replace('.', '[.]')}.*: .*({words})", lines[0]), lines
