"""Kinds of experiment on local differential privacy that papers share, and what their own runners are made of.

A runner is declared with `corrldp.runners.runner.runner`; those of one paper are in ``papers/ID/runners``.
"""
