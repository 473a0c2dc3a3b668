"""The decorator of runners of experiments on local differential privacy."""

from functools import partial

from claimaudit.experiments.runner import Backend
from claimaudit.experiments.runner import runner as _runner
from corrldp.data.stored import read_table
from corrldp.protocols.names import source_of
from corrldp.randomness import generator

runner = partial(_runner, backend=Backend(read_table, generator, source_of))
"""Declare a runner, see `claimaudit.experiments.runner.Runner`; views are each a `corrldp.data.table.Table`."""
