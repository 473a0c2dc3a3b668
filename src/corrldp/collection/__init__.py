"""A collection: clients and what they may spend, reports, and aggregators that count them; all are written as JSON."""

from corrldp.collection.aggregator import Aggregator, ReplayError, Seen
from corrldp.collection.client import Client, Ledger, Memory
from corrldp.collection.collection import Collection, Reports

__all__ = ["Aggregator", "Client", "Collection", "Ledger", "Memory", "ReplayError", "Reports", "Seen"]
