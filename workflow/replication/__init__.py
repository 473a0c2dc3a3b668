"""What the workflow needs besides the libraries: the plan of its jobs, data sets, messages, the reference."""
