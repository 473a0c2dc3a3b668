"""The exponential mechanism on a categorical attribute, with utility 1 for the true value and 0 for all others."""

from dataclasses import dataclass

from corrldp.mechanisms.grr import GRR


@dataclass(frozen=True)
class Exponential(GRR):
    """Report a value r with probability proportional to e^(epsilon u / 2), u = 1 for the true value and 0 otherwise.

    The normalising constant is the same for all values, so the factor 1/2 of the general mechanism is not needed: this
    is GRR with half the budget, and it satisfies epsilon/2 instead of epsilon. Source: CPL paper, Appendix A.

    Parameters: see `Budgeted`.
    """

    @property
    def log_ratio(self) -> float:
        """Log-ratio of the probabilities of the true value and of each other value: the actual epsilon."""
        return self.epsilon / 2
