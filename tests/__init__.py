"""The tests, laid out as the code is. A package, so that no helper hides a library."""
