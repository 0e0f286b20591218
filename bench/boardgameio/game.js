// A small card game to measure boardgame.io with: play a card that reaches the pile's, or draw.
//
// It is less than any game of the service: no face-down cards, no tricks, no legal moves listed,
// and the server itself picks the card, so that a client need not look at what it is sent.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");

const PLAYERS = 4;
const HAND = 7;
const RANKS = 13;
const CARDS = 52;

const rank = (card) => card % RANKS;

const game = {
  name: "climb",
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,

  setup({ random }) {
    const deck = random.Shuffle([...Array(CARDS).keys()]);
    const hands = Array.from({ length: PLAYERS }, () => deck.splice(0, HAND));
    return { deck, hands, pile: [] };
  },

  // Each player is sent their own hand, and how many cards the others hold.
  playerView({ G, playerID }) {
    const hands = G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length));
    return { deck: G.deck.length, hands, pile: G.pile };
  },

  turn: { minMoves: 1, maxMoves: 1 },

  moves: {
    act: {
      // Made by the server, not by the client beforehand: what counts is what the server confirms.
      client: false,
      move({ G, ctx, playerID }) {
        if (playerID !== ctx.currentPlayer) return INVALID_MOVE;
        const hand = G.hands[Number(playerID)];
        const least = G.pile.length ? rank(G.pile[G.pile.length - 1]) : 0;
        const fitting = hand.filter((card) => rank(card) >= least).sort((a, b) => rank(a) - rank(b));
        if (fitting.length) {
          hand.splice(hand.indexOf(fitting[0]), 1);
          G.pile.push(fitting[0]);
        } else if (G.deck.length) {
          hand.push(G.deck.pop());
        } else {
          hand.push(...G.pile.splice(0));
        }
      },
    },
  },

  endIf({ G }) {
    const winner = G.hands.findIndex((hand) => hand.length === 0);
    if (winner >= 0) return { winner: String(winner) };
  },
};

module.exports = { game, PLAYERS };
