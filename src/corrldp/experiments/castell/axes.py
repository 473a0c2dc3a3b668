"""What the Castell paper leaves open: the axes that its experiments share."""

from corrldp.experiments.axes import Axis, Number, by_name

SETS = by_name(
    Axis(
        "sampling_noise",
        {
            "randomised": "respondents who randomise",
            "rounded": "the rounded expected table in place of reports",
            "unrounded": "the expected table in place of reports",
        },
    ),
    Axis(
        "budget",
        {"per_attribute": "epsilon for each attribute", "over_w": "epsilon split over the attributes"},
        Number(0.001, 100, "epsilon = {:g} for each attribute whatever is stated", "nats"),
    ),
    Axis(
        "distance",
        {
            "sup": "the largest error of a cell as distance",
            "total_variation": "the total variation as distance",
            "mean_absolute": "the mean absolute error of a cell as distance",
        },
    ),
    Axis(
        "attributes",
        {"all": "sets of any attributes", "figure_4": "sets of the attributes whose joint domains Figure 4 shows"},
    ),
)
"""Axes of joint laws of many sets of attributes."""

PAIRS = by_name(
    SETS["sampling_noise"],
    Axis(
        "error",
        {"mean_absolute": "the mean absolute error of a cell", "mean_squared": "the mean squared error of a cell"},
    ),
)
"""Axes of joint laws of two attributes."""

VARIANTS = by_name(
    Axis(
        "truncation",
        {
            "printed": "raw estimates as upper limits of the truncation",
            "clipped": "raw estimates as upper limits of the truncation and 0 for negative results",
            "in_order": "valid upper limits of the truncation",
        },
    ),
    Axis(
        "thresholds",
        {
            "appendix_c": "the hybrid scheme by the thresholds of Appendix C",
            "data": "the hybrid scheme by errors estimated from the reports",
            "w_up_to_4": "the hybrid scheme as RR-Ind-Joint for up to four attributes",
        },
    ),
)
"""Axes of the mechanisms."""
