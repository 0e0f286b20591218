"""Tests of the HTTP service and what is beneath it."""
