"""The service, slow to start: `tests.faults.slow_start:app` is loaded once there is no file `hold`
in the data directory."""

from __future__ import annotations

import os
import time
from pathlib import Path

from api import create_app

while Path(os.environ["CROUPIER_DATA_DIR"], "hold").exists():
    time.sleep(0.02)

app = create_app()
