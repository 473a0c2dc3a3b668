"""Runners that papers share: those of the Corr-RR paper and its preprint, whose axes the CPL paper uses as well.

`axes`, `data`, `mechanisms` and `single_phase` are what the runners share. `variants`, `preprint`
and `enumeration` are protocols and laws. The other modules declare runners.
"""
