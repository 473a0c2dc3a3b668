"""Words of a study for names in its tables."""

from corrldp.protocols import postprocess
from corrldp.study.leakage import ANY, JOINT, PAIR, SUM

METHODS = {name: method.words for name, method in postprocess.METHODS.items()}

SCALES = {
    SUM: "SPL, sum over columns",
    ANY: "any protocol on whole records",
    "caption": (
        "How far reports can change the odds of two values of a column, as the logarithm of a factor. The sum over "
        "columns bounds SPL if the reported columns are independent given the attacked one, and else may be exceeded; "
        "the other line bounds every protocol with that budget for a record."
    ),
}

HEADINGS = {
    "recommendation": {
        "epsilon": "budget ε",
        "basis": "judged by",
        "typical": "typical error, percentage points",
        "postprocess": "post-processing",
        "runner_up": "next best protocol",
        "margin": "its error is larger by",
        "p_value": "p-value",
        "open": "cannot be told apart",
    },
    "columns": {"written": "written as"},
    "error": {
        "postprocess": "post-processing",
        "mse": "mean squared error",
        "typical": "its root",
        "runs": "runs (0: closed form)",
    },
    "leakage": {"epsilon": "budget ε", "leakage": "leakage (nats)", "low": "low", "high": "high"},
    "budget": {"limit": "limit (nats)", "epsilon": "largest budget ε of a record"},
    "privacy": {
        "epsilon": "budget ε",
        "record": "ε of a record",
        "attribute": "largest ε of a column",
        "attained": "attained",
        "enumerated_on": "enumerated on domains",
        "enumerated_record": "record, there",
        "enumerated_attribute": "column, there",
        "holds": "within the budget",
    },
    "dependence": {
        "one": "column",
        "other": "and",
        "cramers_v": "Cramer's V",
        "nmi": "NMI",
        "p_value": "p-value",
        "fdr": "FDR",
    },
    "left_out": {"epsilon": "budget ε"},
}

MEASURES = {
    PAIR: "the largest that any oracle lets through if SPL reports this column",
    JOINT: "SPL with GRR, exactly, through the named columns together: at least this much leaks through all",
    SUM: "the sum of the first, a bound if the reported columns are independent given the attacked one",
    ANY: "the largest of all protocols with this budget for a whole record",
}
