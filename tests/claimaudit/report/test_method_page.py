"""The method page: how often verdicts are wrong, by the promises of the report's publishers."""

import re


def test_rates_are_those_of_promises_with_their_numbers(contents, setting, render):
    verdicts = contents.verdicts["castell"]
    (claim, *_), shown = verdicts.claims, verdicts.claims[0].figure
    setting["about"] = setting["about"] | {"promises": "castell", "rates": [shown]}
    page = render()["method.html"]
    (rates,) = re.findall(r'<ul class="points">.*?</ul>', page, re.DOTALL)
    assert f'href="claims.html#claim-castell-{claim.id}"' in rates
    assert "±" in rates
    assert f'href="castell.html#figure-castell-{shown}"' in page


def test_without_such_promises_no_outcome_is_announced(pages):
    assert "The outcome" not in pages["method.html"]
