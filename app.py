"""The entry: gunicorn serves `app` from here; `python app.py` runs the service for development."""

import os
import sys
from pathlib import Path

from api import create_app

if __name__ == "__main__":
    # The same server as in production, with one worker that starts anew when the code changes. Its
    # parent process starts the embedded store, once.
    os.chdir(Path(__file__).resolve().parent)
    os.execv(  # noqa: S606 # nosec B606 # words of our own, no shell
        sys.executable, [sys.executable, "-m", "gunicorn", "--workers", "1", "--reload"]
    )

app = create_app()
