"""A study of a user's own table: which protocol, how large is the error, what leaks, and under which budget."""

from corrldp.extras import require

require("report", "a study", "claimaudit", "scikit-learn")
