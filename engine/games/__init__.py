"""The rules, one file a game, readable beside its page in docs/games/."""
