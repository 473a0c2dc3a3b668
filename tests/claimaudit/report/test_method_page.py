"""The method page, by the promises of the publishers, and ways on from the start page to commands."""

import json
import re

from outline import unpacked

WAYS = {
    "install": "make environment",
    "ways": [
        {
            **{"name": "Your own paper", "says": "By a CSV file.", "words": "audit", "pages": ["docs/claimaudit.md"]},
            "steps": [{"says": "Judge <it>.", "command": "claimaudit run my-paper > said.txt"}],
        }
    ],
}


def test_each_way_leads_to_its_commands(render):
    pages = render(ways=WAYS)
    assert '<a href="ways.html#way-your-own-paper">Your own paper</a>' in pages["index.html"]
    page = pages["ways.html"]
    (section,) = re.findall(r'<section id="way-your-own-paper".*?</section>', page, re.DOTALL)
    assert "<code>claimaudit run my-paper &gt; said.txt</code>" in section
    assert "Judge &lt;it&gt;." in section
    assert "<code>docs/claimaudit.md</code>" in section
    assert "<code>make environment</code>" in page
    found = json.loads(unpacked(pages["index.html"], "vocabulary"))["entries"]
    assert "ways.html#way-your-own-paper" in [entry["link"] for entry in found]


def test_a_report_without_ways_on_has_no_such_page(pages):
    assert "ways.html" not in pages
    assert all("ways.html" not in page for page in pages.values())


def test_rates_are_those_of_promises_with_their_numbers(contents, setting, render):
    verdicts = contents.verdicts["castell"]
    (claim, *_), shown = verdicts.claims, verdicts.claims[0].figure
    setting["about"] = setting["about"] | {"promises": "castell", "rates": [shown]}
    page = render()["method.html"]
    (rates,) = re.findall(r'<ul class="points">.*?</ul>', page, re.DOTALL)
    assert f'href="claims.html#claim-castell-{claim.id}"' in rates
    assert "±" in rates
    assert f'href="castell.html#figure-castell-{shown}"' in page
