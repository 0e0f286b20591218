/** Even Steven: its paths, its moves by action, its events by type. */
import { bearer, client, type Game, never, type Schemas } from "./game.js";

export const evenSteven: Game<Schemas["EvenStevenMove"], Schemas["EvenStevenEvent"]> = {
  seats: 4,
  seed: "demo-17",
  illegal: { action: "decline" },
  create: (seats, seed) =>
    client.POST("/v1/games/even-steven/matches", {
      body: { seats, seed, turn_seconds: 3600, options: { turn_limit: 300 } },
    }),
  join: (match_id) =>
    client.POST("/v1/games/even-steven/matches/{match_id}/seats", {
      params: { path: { match_id } },
      body: { name: "Zoë" },
    }),
  view: (match_id, token) =>
    client.GET("/v1/games/even-steven/matches/{match_id}", {
      params: { path: { match_id } },
      headers: bearer(token),
    }),
  move: (match_id, token, body, etag) =>
    client.POST("/v1/games/even-steven/matches/{match_id}/moves", {
      params: { path: { match_id }, header: etag === undefined ? {} : { "If-Match": etag } },
      headers: bearer(token),
      body,
    }),
  events: (match_id, after) =>
    client.GET("/v1/games/even-steven/matches/{match_id}/events", {
      params: { path: { match_id }, query: { after } },
    }),
  replay: (match_id) =>
    client.GET("/v1/games/even-steven/matches/{match_id}/replay", {
      params: { path: { match_id } },
    }),
  copy(move) {
    switch (move.action) {
      case "play":
        return { action: move.action, card: move.card };
      case "flip":
        return { action: move.action, slot: move.slot };
      case "steal":
        return move.slot === undefined
          ? { action: move.action, target: move.target }
          : { action: move.action, target: move.target, slot: move.slot };
      case "draw":
      case "pick_up":
      case "decline":
        return { action: move.action };
      default:
        return never(move);
    }
  },
  read(event, note) {
    switch (event.type) {
      case "card_played":
        note("value", event.value);
        note("slot", event.slot);
        return note("cards", event.cards);
      case "card_stolen":
        note("slot", event.slot);
        return note("cards", event.cards);
      case "cards_dealt":
      case "pile_picked_up":
      case "cards_drawn":
        return note("cards", event.cards);
      case "match_created":
        return event.seats.forEach((seat) => note("name", seat.name));
      case "turn":
        return note("to_act", event.to_act);
      case "match_finished":
        return note("result", event.result.reason);
      case "seat_joined":
      case "seat_left":
      case "move_overdue":
      case "round_started":
      case "pile_burned":
      case "steal_declined":
        return note("seat", event.seat);
      default:
        return never(event);
    }
  },
};
