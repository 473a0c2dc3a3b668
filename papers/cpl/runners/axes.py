"""What the CPL paper leaves open: the axes of its experiments."""

from shared.runners.axes import ENCODING, MECHANISMS

from claimaudit.experiments.axes import Axis, Number, by_name

BINNING = Axis(
    "binning",
    {
        "recipe": "continuous attributes in round or guideline bins",
        "quartiles": "continuous attributes in bins of equal frequency",
        "width": "continuous attributes in five bins of equal width",
    },
)
DOMAIN = Axis("domain", {"all": "all attributes", "without_country": "Adult without native-country"})
RECORDS = Axis("records", {"all": "all records of CelebA", "half": "a random half of the records of CelebA"})
RARE = Axis(
    "rare",
    {0: "all values kept"},
    Number(0, 0.5, "values merged that fewer than {:.0%} of the records have", "share of the records"),
    default=0,
)
RAPPOR = Axis(
    "rappor",
    {"constants": "RAPPOR with the stated constants", "symmetric": "symmetric RAPPOR with the whole budget"},
    kind="budget",
)
SUBSET_SIZE = Axis(
    "subset_size",
    {
        "floored": "subsets of a size rounded down",
        "rounded": "subsets of a size rounded to the nearest",
        "up": "subsets of a size rounded up",
    },
    kind="formula",
)
EXPANSION = Axis(
    "expansion",
    {1: "each record perturbed once", "cut": "50 copies of each record in a table cut at 5 million rows"},
    Number(1, 1000, "{} copies of each record", "copies of each record", whole=True),
    default=50,
)
NORMALISATION = Axis(
    "normalisation",
    {
        "mean": "mutual information divided by the mean entropy",
        "min": "mutual information divided by the smaller entropy",
        "max": "mutual information divided by the larger entropy",
        "geometric": "mutual information divided by the geometric mean of the entropies",
        "joint": "mutual information divided by the joint entropy",
    },
    kind="measure",
)
THEORETICAL = Axis(
    "theoretical",
    {
        "law": "theoretical leakages of the law (28)",
        "records": "theoretical leakages of the records drawn from the law (28)",
    },
)
OWN_REPORT = Axis(
    "own_report",
    {"left_out": "only the neighbours' reports", "included": "the neighbours' reports and the attribute's own"},
)
SYMMETRIC = Axis(
    "symmetric",
    {
        "covariance": "CBP computed from the correlation",
        "smaller": "CBP as the smaller of the two directions' leakages",
        "mean": "CBP as the mean of the two directions' leakages",
        "larger": "CBP as the larger of the two directions' leakages",
    },
    kind="formula",
)
LINKED = Axis(
    "linked",
    {"component": "GRF linking pairs joined by a path", "edge": "GRF linking only pairs above the threshold"},
    kind="algorithm",
)
CALIBRATION = Axis(
    "calibration",
    {"printed": "Algorithm 3 as printed", "optimum": "the largest budget that meets (30)"},
    kind="algorithm",
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

BUILT = by_name(RAPPOR, SUBSET_SIZE)  # axes of the mechanisms

DATA = by_name(BINNING, DOMAIN, ENCODING)  # axes of the data sets
