"""What the Corr-RR papers leave open: the axes of their experiments."""

from claimaudit.experiments.axes import Axis, Number, by_name

TRUTH = Axis(
    "truth",
    {"sample": "errors against the users' frequencies", "law": "errors against the frequencies of the data's law"},
    kind="measure",
)
AVERAGED = Axis(
    "averaged",
    {
        "all": "errors averaged over all attributes and values",
        "first_attribute": "the error of the first attribute alone",
        "last_value_left_out": "the last value's error left out of the sum",
    },
    kind="measure",
)
ENCODING = Axis(
    "encoding", {"recipe": "values numbered as documented", "alphabetical": "values numbered alphabetically"}
)
NURSERY_GROUPS = Axis(
    "nursery_groups",
    {"values": "values of Nursery grouped", "users": "columns of Nursery cut into groups of equally many users"},
)

DATA = by_name(
    ENCODING,
    NURSERY_GROUPS,
    Axis("rho", number=Number(0, 1, "rho = {:g}", "correlation"), default=0.1),
    Axis("marginal", {"pi": "linearly falling frequencies", "uniform": "equally frequent values"}),
    Axis(
        "non_copy",
        {
            "different": "attributes that copy their parent or draw uniformly from the other values",
            "any": "attributes that copy their parent or draw uniformly from all values",
            "marginal": "attributes that copy their parent or draw from its marginal",
        },
    ),
    Axis(
        "parent",
        {"attribute": "parents drawn once for all users", "user": "parents drawn anew by each user"},
        kind="randomness",
    ),
    Axis(
        "structure",
        {
            "equicorrelated": "all pairs of attributes equally correlated",
            "star": "attributes that all copy the first one",
            "unequal": "marginals that differ between attributes",
        },
    ),
    Axis("data_per_run", {"new": "new data in each run", "fixed": "the same data in all runs"}, kind="randomness"),
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
            "body_clipped": "the body's rule for p_y clipped to [0, 1]",
            "appendix": "the appendix's rule for p_y",
            "two_values": "the appendix's rule for p_y as if there were two values",
            "exact": "the exact minimiser as p_y",
            "preprint": "the preprint's rule for p_y",
            "preprint_appendix": "the preprint appendix's rule for p_y",
            "preprint_exact": "the minimiser of the preprint's Theorem 4 as p_y",
            "always_copy": "p_y = 1",
            "never_copy": "p_y = 0",
        },
        kind="formula",
    ),
    Axis(
        "py_input",
        {
            "raw": "p_y from raw estimates",
            "clip": "p_y from estimates clipped to [0, 1]",
            "clip_normalise": "p_y from normalised estimates",
            "simplex": "p_y from estimates projected onto the simplex",
            "true": "p_y from the true frequencies",
        },
        kind="estimator",
    ),
    Axis(
        "copies",
        {"other": "non-copies that are another value", "any": "non-copies that are any value, the copy among them"},
        kind="formula",
    ),
    Axis(
        "py_pairs",
        {
            "each": "p_y of each pair chosen for the copying attribute",
            "reversed": "p_y of each pair chosen for its later attribute",
            "transposed": "p_y of each pair chosen for the pivot",
            "larger": "the larger p_y of both orders of each pair",
            "equal": "the mean p_y of both orders of each pair",
            "mean": "the pairs' mean p_y for all of them",
            "first": "the first pair's p_y for all of them",
            "last": "the last pair's p_y for all of them",
        },
        kind="formula",
    ),
    Axis(
        "split",
        {
            "attribute": "SPL's budget split over the attributes",
            "one_more": "SPL's budget, also in Phase I, split over one attribute more",
            "spl_whole": "SPL with the whole budget for each attribute, Phase I with its share",
            "phase1_whole": "Phase I with the whole budget for each attribute, SPL with its share",
            "whole": "SPL and Phase I with the whole budget for each attribute",
            "phase2": "Corr-RR's Phase II with SPL's share of the budget",
        },
        kind="budget",
    ),
    Axis(
        "phases",
        {
            "users": "both phases weighted by their users",
            "equal": "the mean of both phases' estimates",
            "last": "the estimates of Phase II alone",
            "own_equal": "the mean of both phases' estimates in Corr-RR",
            "own_last": "the estimates of Phase II alone in Corr-RR",
            "all_in_second": "Corr-RR's counts of Phase II divided by the users of both phases",
        },
        kind="estimator",
    ),
    Axis(
        "phase1_users",
        {
            "once": "users of Phase I who do not report again",
            "again": "users of Phase I who report again in Phase II",
            "again_weighed": "users of Phase I who report again in Phase II and count twice",
        },
        kind="algorithm",
    ),
    Axis(
        "rs_rfd",
        {"two_phase": "RS+RFD with a prior from Phase I", "single_phase": "RS+RFD in one phase with a known prior"},
        kind="algorithm",
    ),
    Axis(
        "prior",
        {
            "true": "the true frequencies as RS+RFD's prior",
            "uniform": "a uniform prior for RS+RFD",
            "noisy": "the true frequencies plus Laplace noise as RS+RFD's prior",
        },
    ),
    Axis(
        "prior_repair",
        {
            "clip_normalise": "RS+RFD's prior clipped to [0, 1] and normalised",
            "floor_normalise": "RS+RFD's prior normalised after negative entries are set to 0",
            "simplex": "RS+RFD's prior projected onto the simplex",
        },
        kind="estimator",
    ),
    Axis(
        "rs_rfd_postprocess",
        {
            "none": "raw RS+RFD estimates",
            "clip_normalise": "RS+RFD's final estimates normalised",
            "second_phase_clip_normalise": "RS+RFD's Phase II estimates normalised",
            "second_phase_floor_normalise": "RS+RFD's Phase II estimates floored at 0 and normalised",
        },
        kind="estimator",
    ),
    Axis(
        "rs_fd_estimator",
        {"unbiased": "RS+FD's own estimator", "grr": "GRR's estimator for RS+FD and single-phase RS+RFD"},
        kind="estimator",
    ),
    Axis(
        "rs_rfd_estimator",
        {"own": "RS+RFD's own estimator", "uniform": "RS+FD's estimator for RS+RFD, as if fake values were uniform"},
        kind="estimator",
    ),
    Axis(
        "amplify",
        {False: "RS+FD and RS+RFD at the nominal budget", True: "RS+FD and RS+RFD at the amplified budget"},
        kind="budget",
    ),
    Axis(
        "postprocess",
        {
            "none": "raw estimates",
            "clip": "all estimates clipped to [0, 1]",
            "clip_normalise": "all estimates clipped to [0, 1] and normalised",
        },
        kind="estimator",
    ),
)
"""Axes of the mechanisms and their estimates."""

EXTENSIONS = by_name(
    Axis("rounds", number=Number(1, 1000, "{} rounds of iterative Corr-RR", "batches of users", whole=True), default=4),
    Axis(
        "group_strength",
        number=Number(0, 1, "groups of attributes that correlate by {:g} or more", "absolute correlation"),
        default=0.3,
    ),
)
"""Axes of the extensions of Corr-RR."""

REAL_DATA = by_name(
    Axis(
        "attributes",
        {
            "nearest": "the attributes that fit the printed correlations best",
            "onsets": "two onsets of Clave",
            "all_adults": "all training records of Adult",
        },
    ),
    ENCODING,
    NURSERY_GROUPS,
)
"""Axes of the views of real data."""

SEARCH = by_name(
    Axis("clave_users", {"all": "all users of Clave", "random": "new random users of Clave in each run"}),
    Axis("adult_users", {"all": "all users of Adult"}, Number(1, 10**9, "the first {:,} users of Adult", whole=True)),
)
"""Axes of the search for the attributes that were used."""
