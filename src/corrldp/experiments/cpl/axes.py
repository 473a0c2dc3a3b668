"""What the CPL paper leaves open: the axes of its experiments."""

from corrldp.experiments.axes import Axis, Number, by_name
from corrldp.experiments.corr_rr.axes import ENCODING, MECHANISMS

BINNING = Axis(
    "binning",
    {
        "recipe": "round and guideline bins of continuous attributes",
        "quartiles": "continuous attributes in bins of equal frequency",
        "width": "continuous attributes in five bins of equal width",
    },
)
DOMAIN = Axis("domain", {"all": "all attributes", "without_country": "Adult without native-country"})
RAPPOR = Axis(
    "rappor",
    {"constants": "RAPPOR with the stated constants", "symmetric": "symmetric RAPPOR of the whole budget"},
)
EXPANSION = Axis(
    "expansion",
    {1: "each record perturbed once"},
    Number(1, 1000, "{} copies of each record", "copies of each record", whole=True),
    default=50,
)
NORMALISATION = Axis(
    "normalisation",
    {
        "mean": "mutual information over the mean entropy",
        "min": "mutual information over the smaller entropy",
        "max": "mutual information over the larger entropy",
        "geometric": "mutual information over the geometric mean of the entropies",
        "joint": "mutual information over the joint entropy",
    },
)
OWN_REPORT = Axis(
    "own_report",
    {"left_out": "the neighbours' reports alone", "included": "the attribute's own report beside its neighbours'"},
)
SYMMETRIC = Axis(
    "symmetric",
    {
        "covariance": "CBP computed from the correlation",
        "smaller": "CBP as the smaller leakage of the two directions",
        "mean": "CBP as the mean leakage of the two directions",
        "larger": "CBP as the larger leakage of the two directions",
    },
)
LINKED = Axis(
    "linked",
    {"component": "pairs that a path connects linked in GRF", "edge": "pairs above the threshold linked in GRF"},
)
CHOSEN = Axis(
    "chosen",
    {
        "all": "all shared attributes",
        "random_21": "21 shared attributes drawn at random",
        "independent_21": "the 21 least dependent shared attributes",
    },
)

POSTPROCESS = MECHANISMS["postprocess"]

DATA = by_name(BINNING, DOMAIN, ENCODING)
"""Axes of the data sets."""
