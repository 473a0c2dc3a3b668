"""What the JRR paper leaves open: the axes of its experiments."""

from claimaudit.experiments.axes import Axis, Number, by_name

N = Axis("n", number=Number(2, 10**9, "{:,} users", "users", whole=True), default=10_000)
EPSILON = Axis("epsilon", number=Number(1e-6, 30, "epsilon = {:g}", "nats"), default=0.1, kind="budget")
COLLUDERS = Axis(
    "colluders",
    {0: "no colluders", 1: "one colluder"},
    Number(0, 10**9, "{:,} colluders", "users", whole=True),
    default=5,
)
GRID_STEP = Axis(
    "grid_step",
    {"limit": "a vanishing step in Algorithm 1"},
    Number(1e-9, 0.5, "a step of {:g} in Algorithm 1", "probability"),
    default=0.0001,
)
RHO_STEP = Axis("rho_step", {1.0: "one step of p and rho"}, Number(1e-9, 1e9, "a step of rho {:g} times that of p"))
CHOICE = Axis(
    "choice",
    {
        "algorithm1": "the parameters from Algorithm 1",
        "smallest_rho": "RR's p and the smallest rho",
        "corner": "the largest p at which the smallest rho is feasible",
        "one_loop": "Algorithm 1 without its loop over rho",
        "optimum": "the optimum of problem (22)",
    },
    kind="algorithm",
)
BASELINE = Axis(
    "baseline",
    {"epsilon": "RR at the epsilon of JRR", "parameter": "RR at the p of JRR, not at its epsilon"},
    kind="budget",
)
CHOSEN_FOR = Axis(
    "chosen_for",
    {"own": "parameters chosen for the users at hand"},
    Number(2, 10**9, "the parameters of {:,} users", "users", whole=True),
    kind="algorithm",
    quantity="n",
)
DIGITS = Axis("digits", {"all": "p as it is found", "two": "p rounded to two digits after the point"}, kind="algorithm")
SIGN = Axis(
    "sign",
    {"own": "a pair's correlation as it is found", "reversed": "a correlation of the opposite sign"},
    kind="formula",
)
LIES = Axis(
    "lies",
    {"all": "a lie that is the other value", "half": "a lie that is a coin, and may be the truth"},
    kind="formula",
)
ONES = Axis(
    "ones",
    {"stated": "the stated number of users with 1", "drawn": "users who draw their value anew in each run"},
    kind="randomness",
)
EXPECTED = Axis(
    "expected",
    {
        "none": "the errors of simulated runs",
        "rr": "RR's error by its formula",
        "both": "both errors by their formulas",
    },
    kind="randomness",
)
COUNTS = Axis("counts", {"raw": "raw estimates", "clipped": "estimates clipped to 0..n"}, kind="estimator")
ZERO_FREQUENCY = Axis(
    "zero_frequency",
    {
        "skip": "the relative error averaged over the values that occur",
        "domain": "the summed relative error divided by the domain size",
    },
    kind="measure",
)
FREQUENCIES = Axis(
    "frequencies",
    {"real": "R measured over real frequencies", "counts": "R measured between whole numbers of users"},
    kind="measure",
)
TUNING = Axis(
    "tuning", {"algorithm1": "the step of Algorithm 1", "tuned": "the best step for the data"}, kind="algorithm"
)

POPULATION = by_name(N, EPSILON, COLLUDERS)  # axes of who takes part

PARAMETERS = by_name(CHOICE, GRID_STEP, RHO_STEP, BASELINE, CHOSEN_FOR, DIGITS, SIGN)  # axes of p, rho and the p of RR

ERRORS = POPULATION | PARAMETERS | by_name(ZERO_FREQUENCY)  # axes of the errors of simulated runs

MEANS = ERRORS | by_name(LIES, ONES, COUNTS, EXPECTED)  # axes of their means
