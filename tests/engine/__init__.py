"""Tests of the engine: each rule from a position of its own."""
