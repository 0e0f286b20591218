"""Croupier in a terminal: `make play`, or `python examples/terminal.py --url http://localhost:8000`.

Play against bots, open a table for others, or join one by its id. Needs `rich` and `requests`.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parlour import faces, moves, table
from parlour.asking import Asking, Quit
from parlour.sentences import sentence
from parlour.service import Away, Match, Refused, Service
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

Body = dict[str, Any]

#: The environment variable with the token of a seat to come back to.
VARIABLE = "CROUPIER_TOKEN"
UNAUTHORIZED = 401
#: What is due in a phase of a game, where it is no ordinary turn.
DUE = {
    "steal": "you may steal",
    "chaos": "chaos: burn a card",
    "name_colour": "name the colour",
    "lay": "choose three cards to lie face up",
}


class Parlour(Asking):
    """One player at a terminal."""

    def __init__(self, console: Console, service: Service) -> None:
        super().__init__(console)
        self.service = service
        self.games = service.games()
        self.name = ""

    def visit(self) -> None:
        """From the door to the last match. Raises Quit, Away."""
        self.console.rule("[bold]♣ ♦  Croupier  ♥ ♠")
        self.name = self.ask_name()
        ways = {
            "Play against bots": self.against_bots,
            "Open a table for other people": self.with_people,
            "Join a table by its id": self.join,
            "Watch a table by its id": self.watch,
        }
        while True:
            way = self.choose("What would you like to do?", [Text(words) for words in ways])
            try:
                match = list(ways.values())[way]()
                while match is not None:
                    match = self.play(match)
            except Refused as refusal:
                self.complain(refusal)
                if any(name.endswith("name") for name in refusal.problem.get("errors", ())):
                    self.name = self.ask_name()

    def ask_name(self) -> str:
        """The player's name. Raises Quit."""
        return self.ask("What is your name?") or "Ada"

    # Finding a match

    def against_bots(self) -> Match:
        """A new match with bots in all other seats."""
        game = self.game()
        bots = self.number("How many bots?", game["players"]["min"] - 1, game["players"]["max"] - 1)
        kind = game["bots"][
            self.choose("Which kind of bot?", [Text(bot) for bot in game["bots"]])
            if len(game["bots"]) > 1
            else 0
        ]
        return self.create(game, [{"bot": kind}] * bots)

    def with_people(self) -> Match:
        """A new match with open seats."""
        game = self.game()
        least, most = game["players"]["min"], game["players"]["max"]
        others = self.number("How many other people?", least - 1, most - 1)
        match = self.create(game, [{"open": True}] * others)
        self.console.print("\nTell the others the table's id:", Text(match.match_id, "bold cyan"))
        return match

    def create(self, game: Body, others: list[Body]) -> Match:
        """A new match with the player in the first seat."""
        made = {"seats": [{"name": self.name}, *others], "options": self.options(game)}
        created = self.service.call("POST", game["links"]["matches"], made)
        return Match(self.service, game, created["match_id"], created["seats"][0]["token"])

    def join(self) -> Match | None:
        """Somebody else's table."""
        match = self.watch()
        if match is None:
            return None
        joined = self.service.call("POST", f"{match.path}/seats", {"name": self.name})
        return Match(self.service, match.game, match.match_id, joined["token"])

    def watch(self) -> Match | None:
        """A table as a spectator sees it."""
        match_id = self.ask("The table's id?")
        game = self.service.find(match_id, self.games)
        if game is None:
            self.console.print("There is no such table.", style="yellow")
            return None
        return Match(self.service, game, match_id)

    def game(self) -> Body:
        """A game of the catalogue."""
        choices = [
            Text.assemble((game["title"], "bold"), f"  {game['goal']}") for game in self.games
        ]
        return self.games[self.choose("Which game?", choices, wide=True)]

    def options(self, game: Body) -> Body:
        """What the player wants otherwise than by default."""
        chosen: Body = {}
        while True:
            words = [
                Text.assemble(option["meaning"], (_chosen(option, chosen), "bold"))
                for option in game["options"]
            ]
            choice = self.choose("Change an option? Enter plays.", words, wide=True, none=True)
            if choice is None:
                return chosen
            option = game["options"][choice]
            if option["choices"]:
                values = [Text(str(value)) for value in option["choices"]]
                chosen[option["name"]] = option["choices"][self.choose("Which?", values)]
            else:
                ends = option["minimum"], option["maximum"]
                chosen[option["name"]] = self.number("How many?", *ends)

    # At the table

    def play(self, match: Match) -> Match | None:
        """A match to its end, and the rematch if there is one."""
        try:
            names = self.follow(match)
            view = match.view()
        except (Quit, KeyboardInterrupt, Away, Refused) as reason:
            wrong = isinstance(reason, Refused) and reason.problem["status"] == UNAUTHORIZED
            if match.token and not wrong:
                self.tell_way_back(match)
            raise
        self.end(view, names)
        if not view["you"] or self.choose("And now?", [Text("Play again"), Text("Something else")]):
            return None
        return match.rematch()

    def follow(self, match: Match) -> list[str]:
        """A match to its last event, with the player's moves; the names of those who sat there.
        Raises Quit, Away or Refused."""
        view = match.view()
        me = view["you"]["seat"] if view["you"] else None
        self.console.rule(f"[bold]{match.game['title']}")
        self.console.print(
            f"[dim]Table {match.match_id}. Type ? for the rules, w for why a card cannot be "
            "played, q to go. Ctrl-C goes while you wait."
        )
        if view["status"] == "waiting":
            self.console.print("\nThe cards are dealt when the last seat is taken.")
        names = [seat["name"] or "(open)" for seat in view["seats"]]
        owed = False
        for event in match.events(0):
            if "seats" in event:
                names = [seat["name"] or "(open)" for seat in event["seats"]]
            if event["type"] == "seat_joined":
                names[event["seat"]] = event["name"]
            told = sentence(event, names, me)
            if told is not None:
                self.console.print(Padding(faces.Flowing(told), (0, 2)))
            if "to_act" in event or event["type"] == "match_finished":
                owed = me in event.get("to_act", ())
            if owed:
                owed = not self.decide(match, names, event["seq"])
        return names

    def tell_way_back(self, match: Match) -> None:
        """How to go on with a seat that is left. The token stands apart from the command: whoever
        lists the processes of this machine sees what a program was started with."""
        words = [sys.executable, str(Path(__file__).resolve()), "--url", self.service.url]
        command = shlex.join([*words, "--match", match.match_id])
        self.console.print("\nYour seat is kept while the match is. Come back with:")
        self.console.print(command, style="cyan", markup=False, soft_wrap=True)
        self.console.print("and give it the token of your seat:")
        self.console.print(match.token, style="cyan")

    def decide(self, match: Match, names: Sequence[str], seq: int) -> bool:
        """Asks for a move and makes it, if that event is the last so far; whether it was made."""
        while True:
            view = match.view()
            if view["last_seq"] != seq:
                return False  # more has happened, and comes next
            self.console.print()
            due = DUE.get(view["table"].get("phase", ""), "your turn")
            self.console.print(table.table(view, f"{match.game['title']} · {due}"))
            try:
                match.move(self.pick(match, view["legal_moves"], names))
                return True
            except Refused as refusal:
                self.complain(refusal)
                seq = match.view()["last_seq"]
                if view["last_seq"] != seq:
                    return False

    def pick(self, match: Match, legal: Sequence[Body], names: Sequence[str]) -> Body:
        """One of the legal moves, in one question or two."""

        def aside(word: str) -> bool:
            if word == "?":
                rules = self.service.call("GET", match.game["links"]["self"])["rules"]
                with self.console.pager(styles=True):
                    self.console.print(Markdown(rules))
            elif word == "w":
                for item in match.view(why=True)["why_not"]:
                    self.console.print(" ", faces.card(item["card"]), item["reason"])
            return word in ("?", "w")

        groups = moves.grouped(legal)
        words = [moves.first(group[0], names) for group in groups]
        group = groups[self.choose("Your move?", words, aside=aside)]
        if len(group) == 1:
            return group[0]
        question = "Which colour?" if "colour" in group[0] else "Against whom?"
        return group[self.choose(question, [moves.second(move, names) for move in group])]

    def end(self, view: Body, names: Sequence[str]) -> None:
        """How it ended."""
        winners = " and ".join(names[seat] for seat in view["result"]["winners"])
        reason = view["result"]["reason"].replace("_", " ")
        self.console.print()
        self.console.print(table.standings(view))
        self.console.print(
            Text(f"{winners} won after {view['version']} moves: {reason}.", "bold green")
        )


def _chosen(option: Body, chosen: Body) -> str:
    """An option's value as it stands, where it is one for every number of players."""
    value = chosen.get(option["name"], option["default"])
    return "" if value is None else f"  ({str(value).lower()})"


def main() -> int:
    """Runs the client; the exit status."""
    parser = argparse.ArgumentParser(description="Play Croupier's games in a terminal.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the service is")
    parser.add_argument(
        "--match",
        help="a table to come back to; your seat's token is taken from the environment variable "
        f"{VARIABLE}, or asked for",
    )
    chosen = parser.parse_args()
    os.environ.setdefault("LESS", "-FRX")  # else the pager would spell colours out
    console = Console(highlight=False)
    try:
        parlour = Parlour(console, Service(chosen.url))
        if chosen.match:
            game = parlour.service.find(chosen.match, parlour.games)
            if game is None:
                console.print("There is no such table.", style="yellow")
                return 1
            token = os.environ.get(VARIABLE) or parlour.ask(
                "Your seat's token? Enter watches.", hidden=True
            )
            parlour.play(Match(parlour.service, game, chosen.match, token))
        else:
            parlour.visit()
    except Away as error:
        console.print(f"No service answers at {error}. Start one with: make run", style="red")
        return 1
    except Refused as refusal:
        console.print(str(refusal), style="red")
        return 1
    except (Quit, KeyboardInterrupt):
        console.print("Goodbye.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
