"""Clients and servers: reports of single users as JSON, aggregators that add up, estimates with their errors."""
