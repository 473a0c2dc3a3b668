"""Stand-ins: deterministic, in the documented format and domain, correlated as documented."""

from pathlib import Path

import numpy as np
import pytest

from claimaudit import yaml_files
from replication.data.align import RawRecords, align, read_raw, standin_bytes
from replication.data.registry import Registry

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[4]
REGISTRY = yaml_files.load(ROOT / "config/datasets.yaml", Registry)
DATASETS = {
    name: dataset for name, dataset in REGISTRY.files.items() if not dataset.optional and name != "celeba_attributes"
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The stand-ins of all data sets."""
    path, found = tmp_path_factory.mktemp("made") / "raw", {}
    for name, dataset in DATASETS.items():
        path.write_bytes(standin_bytes(dataset))
        found[name] = RawRecords(dataset, read_raw(path, dataset), standin=True)
    return found


@pytest.mark.parametrize("name", DATASETS)
def test_standin_is_readable_and_keeps_to_the_documented_domain(made, name):
    dataset, records = DATASETS[name], made[name].records
    assert len(records) == dataset.rows
    for column in dataset.attributes:
        if column.kind == "categorical":
            assert set(records[column.name]) == set(column.values) - set(column.absent)
        else:
            numbers = records[column.name].astype(float)
            assert numbers.min() >= column.typical[0]
            assert numbers.max() <= column.typical[1]


def test_every_view_can_be_made_from_standins(made):
    for view, recipe in REGISTRY.views.items():
        if not made.keys() >= set(recipe.datasets):
            continue
        codes, domain = align([made[name] for name in recipe.datasets], recipe)
        assert domain["standin"]
        highest, last = codes.max(axis=0), np.array([len(a["values"]) - 1 for a in domain["attributes"]])
        assert (highest <= last).all()
        # Bins of equal width extend to the outliers of the real data, which the typical range does not cover.
        assert view.endswith("_width") or (highest == last).all()


def test_same_name_same_bytes_and_other_name_other_bytes():
    train, test = DATASETS["adult_train"], DATASETS["adult_test"]
    assert standin_bytes(train) == standin_bytes(train)
    assert standin_bytes(train).splitlines()[0] != standin_bytes(test).splitlines()[1]


def test_columns_correlate_by_a_quarter(made):
    """Quantiles of two columns share the hidden one with probability 1/4, and binary fields half of their variance.

    A binary field is the upper half of its quantile: two of them are equal with probability 1/4 + 3/4 * 1/2, so
    they have correlation 1/4 as well. With 13,143 records the estimate's standard deviation is below 0.0088; the mean
    over 2,628 pairs is far more precise, so 5 standard deviations of one pair are a false alarm below 1e-6.
    """
    records = made["lfw_attributes"].records.iloc[:, 1:].astype(int).to_numpy()
    correlations = np.corrcoef(records.T)[np.triu_indices(73, 1)]
    assert abs(correlations.mean() - 0.25) < 0.0088
    assert np.abs(correlations - 0.25).max() < 5 * 0.0088 + 0.01
