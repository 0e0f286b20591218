#!/usr/bin/env bash
# All benchmarks, one after another; bench/README.md says what each of them measures.
# `make bench` calls this; it needs .venv with the development set-up, which brings node along.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The peers bring numpy and scipy along, so they get an environment of their own.
if [[ ! -x .venv-bench/bin/python ]]; then
    .venv/bin/python -m venv .venv-bench
fi
install() {
    .venv-bench/bin/python -m pip install --quiet --disable-pip-version-check "$@"
}
install --require-hashes -r requirements.txt
if ! install -r bench/requirements.txt 2> /dev/null; then
    # The likely cause is told by bench/engine.py; any other one stops the second try too.
    grep -v open_spiel bench/requirements.txt | install -r /dev/stdin
fi

PATH="$PWD/.venv/bin:$PATH" npm ci --prefix bench/boardgameio --silent

.venv/bin/python -m bench.ceiling
echo
.venv/bin/python -m bench.parts
echo
.venv/bin/python -m bench.peer
echo
.venv-bench/bin/python -m bench.engine
echo
.venv-bench/bin/python -m bench.state_size
echo
.venv-bench/bin/python -m bench.bots
echo
.venv/bin/python -m bench.watchers
echo
.venv/bin/python -m bench.observing
echo
.venv-bench/bin/python -m bench.limits
echo
.venv/bin/python -m bench.flat
echo
.venv/bin/python -m bench.growth
echo
.venv/bin/python -m bench.timing
echo
.venv/bin/python -m bench.durability
echo
.venv/bin/python -m bench.failover
