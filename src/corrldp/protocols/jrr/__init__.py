"""Joint randomized response (JRR; Zheng et al., PoPETs 2025): users perturb in secret random pairs."""
