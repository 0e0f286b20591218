/** Seven, Twos & Tens: its paths, its moves by action, its events by type. */
import { bearer, client, type Game, never, type Schemas } from "./game.js";

export const sevenTwosTens: Game<Schemas["SevenTwosTensMove"], Schemas["SevenTwosTensEvent"]> = {
  seats: 3,
  seed: "demo-28",
  illegal: { action: "pick_up" },
  create: (seats, seed) =>
    client.POST("/v1/games/seven-twos-tens/matches", {
      body: { seats, seed, turn_seconds: 3600, options: { turn_limit: 300 } },
    }),
  join: (match_id) =>
    client.POST("/v1/games/seven-twos-tens/matches/{match_id}/seats", {
      params: { path: { match_id } },
      body: { name: "Zoë" },
    }),
  view: (match_id, token) =>
    client.GET("/v1/games/seven-twos-tens/matches/{match_id}", {
      params: { path: { match_id } },
      headers: bearer(token),
    }),
  move: (match_id, token, body, etag) =>
    client.POST("/v1/games/seven-twos-tens/matches/{match_id}/moves", {
      params: { path: { match_id }, header: etag === undefined ? {} : { "If-Match": etag } },
      headers: bearer(token),
      body,
    }),
  events: (match_id, after) =>
    client.GET("/v1/games/seven-twos-tens/matches/{match_id}/events", {
      params: { path: { match_id }, query: { after } },
    }),
  replay: (match_id) =>
    client.GET("/v1/games/seven-twos-tens/matches/{match_id}/replay", {
      params: { path: { match_id } },
    }),
  copy(move) {
    switch (move.action) {
      case "lay":
      case "play":
        return { action: move.action, cards: move.cards };
      case "flip":
        return { action: move.action, slot: move.slot };
      case "pick_up":
        return { action: move.action };
      default:
        return never(move);
    }
  },
  read(event, note) {
    switch (event.type) {
      case "cards_played":
        note("slot", event.slot);
        note("value", event.value);
        return note("cards", event.cards);
      case "card_turned":
        note("value", event.value);
        return note("cards", event.cards);
      case "cards_dealt":
      case "choice_made":
      case "cards_laid":
      case "card_flipped":
      case "pile_picked_up":
      case "cards_drawn":
        return note("cards", event.cards);
      case "round_ended":
        return note("winner", event.winner);
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
      case "pile_removed":
        return note("seat", event.seat);
      default:
        return never(event);
    }
  },
};
