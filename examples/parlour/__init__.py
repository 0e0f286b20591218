"""The parts of the terminal client, `examples/terminal.py`."""
