/** Card Keeper: its paths, its moves by action, its events by type. */
import { bearer, client, type Game, never, type Schemas } from "./game.js";

export const cardKeeper: Game<Schemas["CardKeeperMove"], Schemas["CardKeeperEvent"]> = {
  seats: 3,
  seed: "demo-31",
  illegal: { action: "burn", card: "shield" },
  create: (seats, seed) =>
    client.POST("/v1/games/card-keeper/matches", {
      body: { seats, seed, turn_seconds: 3600, options: { turn_limit: 300 } },
    }),
  join: (match_id) =>
    client.POST("/v1/games/card-keeper/matches/{match_id}/seats", {
      params: { path: { match_id } },
      body: { name: "Zoë" },
    }),
  view: (match_id, token) =>
    client.GET("/v1/games/card-keeper/matches/{match_id}", {
      params: { path: { match_id } },
      headers: bearer(token),
    }),
  move: (match_id, token, body, etag) =>
    client.POST("/v1/games/card-keeper/matches/{match_id}/moves", {
      params: { path: { match_id }, header: etag === undefined ? {} : { "If-Match": etag } },
      headers: bearer(token),
      body,
    }),
  events: (match_id, after) =>
    client.GET("/v1/games/card-keeper/matches/{match_id}/events", {
      params: { path: { match_id }, query: { after } },
    }),
  replay: (match_id) =>
    client.GET("/v1/games/card-keeper/matches/{match_id}/replay", {
      params: { path: { match_id } },
    }),
  copy(move) {
    switch (move.action) {
      case "play":
        return {
          action: move.action,
          card: move.card,
          ...(move.targets === undefined ? {} : { targets: move.targets }),
          ...(move.colour === undefined ? {} : { colour: move.colour }),
        };
      case "burn":
        return { action: move.action, card: move.card };
      case "name_colour":
        return { action: move.action, colour: move.colour };
      default:
        return never(move);
    }
  },
  read(event, note) {
    switch (event.type) {
      case "first_card_turned":
        note("colour", event.colour);
        return note("cards", event.cards);
      case "cards_dealt":
      case "card_put_back":
      case "card_played":
      case "card_captured":
      case "hand_seen":
      case "choice_made":
      case "card_burned":
      case "cards_drawn":
        return note("cards", event.cards);
      case "colour_named":
        return note("colour", event.colour);
      case "match_created":
        return event.seats.forEach((seat) => note("name", seat.name));
      case "turn":
        return note("to_act", event.to_act);
      case "match_finished":
        return note("result", event.result.reason);
      case "draw_pile_made":
        return note("draw_count", event.draw_count);
      case "seat_joined":
      case "seat_left":
      case "move_overdue":
      case "shield_used":
      case "hands_swapped":
      case "knocked_out":
        return note("seat", event.seat);
      default:
        return never(event);
    }
  },
};
