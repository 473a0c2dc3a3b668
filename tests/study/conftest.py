"""Fixtures of the tests of a study."""

import pytest
from study_tables import records, write_csv


@pytest.fixture(scope="session")
def people(tmp_path_factory):
    """A CSV of 2,000 people with quoted commas, missing values and a number to bin."""
    rows = records(2000)
    for row in rows[::100]:
        row[2] = ""
    return write_csv(tmp_path_factory.mktemp("people") / "people.csv", rows)
