"""Plays one match against two bots: python examples/play.py GAME [URL]. Needs `requests`."""

import random
import sys

import requests


def play(game: str, url: str) -> str:
    """Plays a whole match with random moves, telling each event; who won."""
    session = requests.Session()

    def call(method: str, path: str, body: object = None) -> dict:
        try:
            answer = session.request(method, url + path, json=body, timeout=30)
        except requests.ConnectionError:
            sys.exit(f"No service answers at {url}. Start one with: make run")
        if not answer.ok:
            sys.exit(f"{method} {path} was refused: {answer.text}")
        return answer.json()

    seats = [{"name": "Ada"}, {"bot": "random"}, {"bot": "random"}]
    created = call("POST", f"/v1/games/{game}/matches", {"seats": seats})
    session.headers["Authorization"] = f"Bearer {created['seats'][0]['token']}"
    match = f"/v1/games/{game}/matches/{created['match_id']}"
    print(f"Ada plays at {url}{match}")

    view = call("GET", match)
    names = [seat["name"] for seat in view["seats"]]
    while view["status"] != "finished":
        moves = view["legal_moves"]  # none while the bots play on among themselves
        view = call("POST", f"{match}/moves", random.choice(moves)) if moves else call("GET", match)
        for event in view.get("events", []):
            if "seat" in event:
                cards = " ".join(event.get("cards") or [])
                print(f"{event['version']:>5}  {names[event['seat']]}: {event['type']} {cards}")
    winners = " and ".join(names[seat] for seat in view["result"]["winners"])
    return f"{winners} won after {view['version']} moves: {view['result']['reason']}."


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python examples/play.py GAME [URL]")
    print(play(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "http://127.0.0.1:8000"))
