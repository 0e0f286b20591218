"""Tests of the hub, by which the watchers of a worker hear of what happens."""
