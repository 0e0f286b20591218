"""Questions to the player: a line, one of several choices, a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from parlour.service import Refused


class Quit(Exception):
    """The player wants to go."""


class Asking:
    """Whoever asks questions at a console."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def ask(self, question: str, *, hidden: bool = False) -> str:
        """A line, which is not shown as it is typed if it is `hidden`. Raises Quit."""
        try:
            answer = self.console.input(f"\n[bold]{question}[/] > ", password=hidden).strip()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Quit from None
        if answer == "q":
            raise Quit
        return answer

    def choose(
        self,
        question: str,
        choices: Sequence[Text],
        *,
        wide: bool = False,
        none: bool = False,
        aside: Callable[[str], bool] | None = None,
    ) -> Any:
        """The index of one of the choices; None for an empty line where `none` allows it."""
        numbers = [Text(f"{number:>3} ", "bold cyan") for number in range(1, len(choices) + 1)]
        numbered = [Text.assemble(*pair) for pair in zip(numbers, choices, strict=True)]
        self.console.print()
        if wide:
            rows = Table.grid()
            for pair in zip(numbers, choices, strict=True):
                rows.add_row(*pair)
            self.console.print(rows)
        elif len(numbered) < 7:
            self.console.print(*numbered, sep="\n")
        else:
            self.console.print(Columns(numbered, padding=(0, 3), column_first=True))
        while True:
            answer = self.ask(question)
            if none and not answer:
                return None
            if answer.isascii() and answer.isdigit() and 0 < int(answer) <= len(choices):
                return int(answer) - 1
            if aside is None or not aside(answer):
                self.console.print(f"Type a number from 1 to {len(choices)}.", style="yellow")

    def number(self, question: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        while True:
            answer = self.ask(f"{question} ({least} to {most})")
            if answer.isascii() and answer.isdigit() and least <= int(answer) <= most:
                return int(answer)
            self.console.print(f"Type a number from {least} to {most}.", style="yellow")

    def complain(self, refusal: Refused) -> None:
        """Shows why a request was refused."""
        self.console.print(Padding(Text(str(refusal), "yellow"), (0, 2)))
