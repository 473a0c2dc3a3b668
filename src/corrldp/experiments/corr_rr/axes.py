"""What the Corr-RR papers leave open: the axes of their experiments."""

from corrldp.experiments.axes import Axis, Number, by_name

DATA = by_name(
    Axis("rho", number=Number(0, 1, "rho = {:g}", "correlation"), default=0.1),
    Axis("marginal", {"pi": "frequencies that fall linearly", "uniform": "equally frequent values"}),
    Axis(
        "non_copy",
        {
            "different": "another value where an attribute does not copy",
            "any": "any value where an attribute does not copy",
            "marginal": "a value by its frequency where an attribute does not copy",
        },
    ),
    Axis(
        "parent",
        {"attribute": "a parent drawn once for each attribute", "user": "a parent drawn anew by each user"},
    ),
    Axis(
        "structure",
        {
            "equicorrelated": "all pairs equally correlated",
            "star": "attributes that copy the first one",
            "unequal": "attributes with unequal frequencies",
        },
    ),
    Axis("data_per_run", {"new": "data drawn anew in each run", "fixed": "the same data in all runs"}),
    Axis(
        "data_rho",
        {"stated": "data of the stated rho"},
        Number(0, 1, "data of rho = {:g} whatever is stated", "probability of a copy"),
    ),
)
"""Axes of the data."""

MECHANISMS = by_name(
    Axis(
        "phase1_fraction",
        number=Number(0.001, 0.999, "{:.0%} of the users in Phase I", "share of the users"),
        default=0.1,
    ),
    Axis(
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
    ),
    Axis(
        "py_input",
        {"raw": "raw estimates in the rule for p_y", "clip_normalise": "normalised estimates in the rule for p_y"},
    ),
    Axis("py_order", {"follower": "p_y of the attribute that copies", "transposed": "p_y of the pivot"}),
    Axis(
        "rs_rfd",
        {"two_phase": "RS+RFD with a prior from a first phase", "single_phase": "RS+RFD in one phase, its prior known"},
    ),
    Axis(
        "prior",
        {
            "true": "the true frequencies as RS+RFD's prior",
            "uniform": "a uniform prior of RS+RFD",
            "noisy": "the true frequencies with Laplace noise as RS+RFD's prior",
        },
    ),
    Axis(
        "prior_repair",
        {
            "clip_normalise": "RS+RFD's prior moved into [0, 1] and normalised",
            "floor_normalise": "negative entries of RS+RFD's prior set to 0, the rest normalised",
        },
    ),
    Axis(
        "rs_rfd_postprocess",
        {
            "none": "RS+RFD's estimates as they are",
            "clip_normalise": "RS+RFD's estimates normalised",
            "second_phase_clip_normalise": "RS+RFD's estimates of Phase II normalised",
        },
    ),
    Axis(
        "rs_fd_estimator",
        {"unbiased": "RS+FD's own estimator", "grr": "GRR's estimator for RS+FD"},
    ),
    Axis(
        "amplify",
        {False: "RS+FD and RS+RFD at the nominal budget", True: "RS+FD and RS+RFD at the amplified budget"},
    ),
    Axis(
        "postprocess",
        {
            "none": "estimates as they are",
            "clip": "all estimates moved into [0, 1]",
            "clip_normalise": "all estimates moved into [0, 1] and normalised",
        },
    ),
)
"""Axes of the mechanisms and their estimates."""

ENCODING = Axis(
    "encoding",
    {"recipe": "values numbered as documented", "alphabetical": "values numbered alphabetically"},
)
