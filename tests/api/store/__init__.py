"""Tests of the store, all against a real server."""
