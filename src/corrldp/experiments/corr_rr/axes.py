"""What the Corr-RR papers leave open: the axes of their experiments."""

from corrldp.experiments.axes import Axis, Number, by_name

PHASE1_FRACTION = Axis(
    "phase1_fraction", number=Number(0.001, 0.999, "{:.0%} of the users in Phase I", "share of the users"), default=0.1
)
MARGINAL = Axis("marginal", {"pi": "frequencies that fall linearly", "uniform": "equally frequent values"})
NON_COPY = Axis(
    "non_copy",
    {
        "different": "another value where an attribute does not copy",
        "any": "any value where an attribute does not copy",
        "marginal": "a value by its frequency where an attribute does not copy",
    },
)
DATA_RHO = Axis(
    "data_rho",
    {"stated": "data of the stated rho"},
    Number(0, 1, "data of rho = {:g} whatever is stated", "probability of a copy"),
)
PARENT = Axis(
    "parent",
    {"attribute": "a parent drawn once for each attribute", "user": "a parent drawn anew by each user"},
)
DATA_PER_RUN = Axis("data_per_run", {"new": "data drawn anew in each run", "fixed": "the same data in all runs"})
STRUCTURE = Axis(
    "structure",
    {
        "equicorrelated": "all pairs equally correlated",
        "star": "attributes that copy the first one",
        "unequal": "attributes with unequal frequencies",
    },
)
RHO = Axis("rho", number=Number(0, 1, "rho = {:g}", "correlation"), default=0.1)
PY_RULE = Axis(
    "py_rule",
    {
        "body": "the body's rule for p_y",
        "body_clipped": "the body's rule for p_y, moved into [0, 1]",
        "appendix": "the appendix's rule for p_y",
        "exact": "the exact minimiser as p_y",
        "preprint": "the preprint's rule for p_y",
        "preprint_appendix": "the rule of the preprint's appendix for p_y",
        "always_copy": "p_y = 1",
        "never_copy": "p_y = 0",
    },
)
PY_INPUT = Axis(
    "py_input",
    {"raw": "raw estimates in the rule for p_y", "clip_normalise": "normalised estimates in the rule for p_y"},
)
PY_ORDER = Axis("py_order", {"follower": "p_y of the attribute that copies", "transposed": "p_y of the pivot"})
RS_RFD = Axis(
    "rs_rfd",
    {"two_phase": "RS+RFD with a prior from a first phase", "single_phase": "RS+RFD in one phase, its prior known"},
)
PRIOR = Axis(
    "prior",
    {
        "true": "the true frequencies as RS+RFD's prior",
        "uniform": "a uniform prior of RS+RFD",
        "noisy": "the true frequencies with Laplace noise as RS+RFD's prior",
    },
)
PRIOR_REPAIR = Axis(
    "prior_repair",
    {
        "clip_normalise": "RS+RFD's prior moved into [0, 1] and normalised",
        "floor_normalise": "negative entries of RS+RFD's prior set to 0, the rest normalised",
    },
)
RS_RFD_POSTPROCESS = Axis(
    "rs_rfd_postprocess",
    {
        "none": "RS+RFD's estimates as they are",
        "clip_normalise": "RS+RFD's estimates normalised",
        "second_phase_clip_normalise": "RS+RFD's estimates of Phase II normalised",
    },
)
RS_FD_ESTIMATOR = Axis(
    "rs_fd_estimator",
    {"unbiased": "RS+FD's own estimator", "grr": "GRR's estimator for RS+FD"},
)
AMPLIFY = Axis(
    "amplify",
    {False: "RS+FD and RS+RFD at the nominal budget", True: "RS+FD and RS+RFD at the amplified budget"},
)
POSTPROCESS = Axis(
    "postprocess",
    {
        "none": "estimates as they are",
        "clip": "all estimates moved into [0, 1]",
        "clip_normalise": "all estimates moved into [0, 1] and normalised",
    },
)
ENCODING = Axis(
    "encoding",
    {"recipe": "values numbered as documented", "alphabetical": "values numbered alphabetically"},
)

DATA = by_name(RHO, MARGINAL, NON_COPY, PARENT, STRUCTURE, DATA_PER_RUN, DATA_RHO)
"""Axes of the data."""

MECHANISMS = by_name(
    PHASE1_FRACTION,
    PY_RULE,
    PY_INPUT,
    PY_ORDER,
    RS_RFD,
    PRIOR,
    PRIOR_REPAIR,
    RS_RFD_POSTPROCESS,
    RS_FD_ESTIMATOR,
    AMPLIFY,
    POSTPROCESS,
)
"""Axes of the mechanisms and their estimates."""
