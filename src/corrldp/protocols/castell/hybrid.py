"""The hybrid scheme: RR-Ind-Joint or RR-Independent, whichever promises the smaller error (Castell paper, III-D)."""

from __future__ import annotations

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.bounds import independent_bound, joint_bound
from corrldp.protocols.castell.independent import rr_ind_joint, rr_independent, squared_error


def hybrid_by_bounds(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by the printed bounds: RR-Ind-Joint where Eq. 10 is below Eq. 9 (Appendix C)."""
    w, d = len(mechanisms), max(grr.k for grr in mechanisms)
    joint = joint_bound(d, w, sum(grr.epsilon for grr in mechanisms), n) < independent_bound(d, w)
    return rr_ind_joint(observed, mechanisms) if joint else rr_independent(observed, mechanisms)


def hybrid_by_data(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by estimates of both squared errors from the reports alone.

    RR-Ind-Joint is unbiased with a known variance V; its squared distance to RR-Independent is about V plus the
    squared bias of RR-Independent. So if the squared distance is below 2 V, the squared bias is below V and
    RR-Independent is better.
    """
    joint, independent = rr_ind_joint(observed, mechanisms), rr_independent(observed, mechanisms)
    distance = ((joint - independent) ** 2).sum()
    return independent if distance < 2 * squared_error(mechanisms, n) else joint
