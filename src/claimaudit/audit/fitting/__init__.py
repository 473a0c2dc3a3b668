"""How readings fit printed numbers: likelihoods, exhibits, pools, standing readings."""
