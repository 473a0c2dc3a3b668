"""All configuration of the project, read and checked as a whole when Snakemake plans."""
