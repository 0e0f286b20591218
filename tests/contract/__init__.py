"""The contract as others meet it: linted, fuzzed, generated from, kept from release to release."""
