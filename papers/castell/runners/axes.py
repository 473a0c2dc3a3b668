"""What the Castell paper leaves open: the axes of its experiments."""

from claimaudit.experiments.axes import Axis, Number, by_name

ESTIMATES = Axis(
    "estimates",
    {"exact": "estimates as they are", "whole": "estimates rounded to whole counts"},
    kind="estimator",
)

SETS = by_name(
    Axis(
        "sampling_noise",
        {
            "randomised": "randomised reports",
            "rounded": "the rounded expected table instead of reports",
            "unrounded": "the unrounded expected table instead of reports",
            "modelled": "the expected table with random errors of up to half a record instead of reports",
        },
        kind="randomness",
    ),
    Axis(
        "budget",
        {"per_attribute": "the stated epsilon per attribute", "over_w": "the stated epsilon split over the attributes"},
        Number(0.001, 100, "epsilon fixed at {:g} per attribute", "nats"),
        kind="budget",
    ),
    Axis(
        "distance",
        {
            "sup": "the largest cell error as distance",
            "total_variation": "total variation as distance",
            "mean_absolute": "the mean absolute cell error as distance",
        },
        kind="measure",
    ),
    ESTIMATES,
    Axis("attributes", {"all": "sets of any attributes", "figure_4": "sets of the attributes that Figure 4 suggests"}),
)
"""Axes of joint laws of many sets of attributes."""

LINE = Axis(
    "line",
    {"each": "a line through 20 sets of each number of attributes", "together": "a line through 20 sets in all"},
)

PAIRS = by_name(
    SETS["sampling_noise"],
    ESTIMATES,
    Axis(
        "error",
        {"mean_absolute": "the mean absolute error of cells", "mean_squared": "the mean squared error of cells"},
        kind="measure",
    ),
)
"""Axes of joint laws of two attributes."""

VARIANTS = by_name(
    Axis(
        "truncation",
        {
            "printed": "raw estimates as the truncation's upper limits",
            "clipped": "raw estimates as the truncation's upper limits and negative results set to 0",
            "in_order": "valid upper limits for the truncation",
            "own_tables": "upper limits for the truncation from tables of their own and negative results set to 0",
        },
        kind="algorithm",
    ),
    Axis(
        "thresholds",
        {
            "appendix_c": "the hybrid scheme with the thresholds of Appendix C",
            "data": "the hybrid scheme choosing by errors estimated from the reports",
            "w_up_to_4": "the hybrid scheme choosing RR-Ind-Joint for up to four attributes",
        },
        kind="algorithm",
    ),
)
"""Axes of the mechanisms."""

PENALTY = Axis("penalty", number=Number(1e-9, 1, "a penalty of {:g} in LoPub's Lasso", "weight"), default=0.001)
HELD = Axis(
    "held",
    {
        "defaults": "the parameters that do not vary as in Figure 9",
        "small_epsilon": "epsilon = 0.5 where it does not vary",
        "many_users": "n = 10,000 and d = 2 where they do not vary",
    },
)

THRESHOLDS = by_name(
    Axis(
        "ways",
        {"w_star": "thresholds for w* attributes, the threshold of the same table"},
        Number(1, 20, "thresholds for {} attributes", "attributes", whole=True),
        default=2,
    ),
    Axis("epsilon", number=Number(0.001, 100, "epsilon = {:g} in the thresholds", "nats"), default=4, kind="budget"),
)
"""Axes of the thresholds between schemes."""
