"""Fault runs: real processes and signals, real clients, and a checker that knows every answer."""
