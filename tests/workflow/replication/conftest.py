"""Fixtures of tests that damage the project's configuration."""

import pytest
from copied import made_copy


@pytest.fixture
def copy(tmp_path):
    return made_copy(tmp_path)
