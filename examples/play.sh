#!/usr/bin/env bash
# Plays one match against two bots and tells what happens: examples/play.sh GAME [BASE_URL]
# Needs bash, curl 7.76 or newer, and python3, which does nothing but read JSON.
set -euo pipefail

die() {
    echo "play.sh: $*" >&2
    exit 1
}

if [[ $# -lt 1 || $# -gt 2 ]]; then
    echo "usage: examples/play.sh GAME [BASE_URL]" >&2
    echo "GAME is even-steven, card-keeper or seven-twos-tens; BASE_URL is http://localhost:8000 if left out" >&2
    exit 2
fi
game=$1
base=${2:-http://localhost:8000}
base=${base%/}

# call METHOD PATH [BODY]: sends a request, with the token once there is one, and prints the answer.
# The token goes in by standard input: all users of a machine see what a program was started with.
token=
call() {
    local answer status=0
    answer=$(curl --silent --fail-with-body --max-time 30 --request "$1" "$base$2" \
        --header @- ${3:+--header "Content-Type: application/json" --data "$3"} \
        <<< "${token:+Authorization: Bearer $token}") || status=$?
    case $status in
        0) echo "$answer" ;;
        22) die "$1 $base$2 was refused: $answer" ;;
        6 | 7) die "no service answers at $base; start one with 'make run', or name another BASE_URL" ;;
        *) die "$1 $base$2 failed: curl ended with status $status" ;;
    esac
}

# Reads the answer to a creation; prints the match's id and the token of its first seat.
read_created='
import json, sys
created = json.load(sys.stdin)
print(created["match_id"], created["seats"][0]["token"])
'

# Reads a view or the answer to a move. Prints, each on a line and after a tab, what is to be told ("say"), the bodies
# of the moves that may be made ("may"), and once the match is over its result ("end").
read_view='
import json, sys

TELL = {
    "round_started": "Round {round}: {name} begins",
    "colour_named": "{name} names {colour}",
    "card_turned": "{name} turns over {cards} to start the pile",
    "choice_made": "{name} has chosen",
    "cards_laid": "{name} lays {cards} face up",
    "card_played": "{name} plays {cards}",
    "cards_played": "{name} plays {cards}",
    "card_flipped": "{name} flips {cards}, which does not fit",
    "card_burned": "{name} burns {cards}",
    "card_stolen": "{name} steals {cards} from {target}",
    "steal_declined": "{name} steals nothing",
    "card_captured": "{name} captures {cards} from {target}",
    "shield_used": "{name} is saved by a Shield",
    "hands_swapped": "{name} trades hands with {target}",
    "pile_burned": "{name} burns the pile of {count}",
    "pile_removed": "{name} clears the pile of {count}",
    "pile_picked_up": "{name} picks up the pile of {count}",
    "knocked_out": "{name} is out",
}
view = json.load(sys.stdin)
names = [seat["name"] for seat in view["seats"]]
for event in view.get("events", []):
    if event["type"] in TELL:
        words = {
            **event,
            "name": names[event["seat"]],
            "cards": " ".join(event.get("cards") or ["a card"]),
            "target": names[event.get("target", 0)],
        }
        line = TELL[event["type"]].format(**words)
        print("say", "{:>5}  {}".format(event["version"], line), sep="\t")
for move in view["legal_moves"]:
    print("may", json.dumps(move), sep="\t")
if view["result"]:
    winners = " and ".join(names[seat] for seat in view["result"]["winners"])
    reason = view["result"]["reason"].replace("_", " ")
    print("end", "{} won after {} moves: {}.".format(winners, view["version"], reason), sep="\t")
'

matches=/v1/games/$game/matches
created=$(call POST "$matches" '{"seats": [{"name": "Ada"}, {"bot": "random"}, {"bot": "random"}]}')
read -r match_id token < <(python3 -I -S -c "$read_created" <<< "$created") || die "what answers at $base is not Croupier"
match=$matches/$match_id
echo "Ada plays $game against two bots: $base$match"

view=$(call GET "$match")
result=
while [[ -z $result ]]; do
    moves=()
    while IFS=$'\t' read -r kind text; do
        case $kind in
            say) echo "$text" ;;
            may) moves+=("$text") ;;
            end) result=$text ;;
        esac
    done < <(python3 -I -S -c "$read_view" <<< "$view")
    if [[ -z $result ]]; then
        [[ ${#moves[@]} -gt 0 ]] || die "the match goes on, but there is nothing that Ada may do"
        view=$(call POST "$match/moves" "${moves[RANDOM % ${#moves[@]}]}")
    fi
done
echo "$result"
