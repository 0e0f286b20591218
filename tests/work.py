"""How much work the service does: the Python instructions that its own code runs for a request."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

from tests.services import ROOT

OURS = (str(ROOT / "api"), str(ROOT / "engine"))


Work = Counter[tuple[str, str, int]]
T = TypeVar("T")


def instructions(request: Callable[[], T]) -> tuple[Work, T]:
    """How many instructions are run by which function (file, name, line), in this thread; and what
    comes of it."""
    counts = Work()

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode":
            code = frame.f_code
            counts[code.co_filename, code.co_name, code.co_firstlineno] += 1
        return in_frame

    def entered(frame: FrameType, *_: Any) -> Any:
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return in_frame

    before = sys.gettrace()
    # A collection may run code of ours at any moment.
    gc.disable()
    sys.settrace(entered)
    try:
        result = request()
    finally:
        sys.settrace(before)
        gc.enable()
    return counts, result
