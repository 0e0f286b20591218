/** What is the same for all games: how each is asked, and what their answers share. */
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

export type Schemas = components["schemas"];
export type Seat = Schemas["SeatRequest"];

/** What the views of all games share. */
export interface View<Move> {
  match_id: string;
  status: Schemas["MatchStatus"];
  seats: { seat: number; name: string | null; kind: Schemas["SeatKind"] }[];
  you: { seat: number; hand: string[]; committed: Move | null } | null;
  to_act: number[];
  legal_moves: Move[];
  table: object | null;
  result: { winners: number[]; ranking: number[][] } | null;
  seed: string | null;
  deadline: string | null;
}
export interface Moved<Move, Event> extends View<Move> {
  events: Event[];
}
export interface Created<Move> {
  match_id: string;
  host_token: string;
  seats: { seat: number; token: string }[];
  view: View<Move>;
}
export interface Joined<Move> {
  seat: number;
  token: string;
  view: View<Move>;
}
/** What any operation here may refuse with, told apart by `type`. */
export type Refusal<Move> =
  | Schemas["MalformedRequestProblem"]
  | Schemas["UnauthorizedProblem"]
  | Schemas["ForbiddenProblem"]
  | Schemas["NotFoundProblem"]
  | Schemas["NotYourTurnProblem"]
  | (Omit<Schemas["EvenStevenIllegalMoveProblem"], "legal_moves"> & { legal_moves: Move[] })
  | Schemas["MatchWaitingProblem"]
  | Schemas["MatchFinishedProblem"]
  | Schemas["MatchNotFinishedProblem"]
  | Schemas["MatchFullProblem"]
  | Schemas["SeatTakenProblem"]
  | Schemas["VersionMismatchProblem"]
  | Schemas["TooLargeProblem"]
  | Schemas["UnsupportedMediaTypeProblem"]
  | Schemas["ValidationProblem"]
  | Schemas["RequestTimeoutProblem"]
  | Schemas["TooManyRequestsProblem"]
  | Schemas["InternalErrorProblem"]
  | Schemas["StoreUnavailableProblem"];
export interface Answer<Data, Move> {
  data?: Data;
  error?: Refusal<Move>;
}
export interface Page<Event> {
  events: Event[];
  last_seq: number;
}

/** What one game is asked over its own paths, and how its moves and events are read. */
export interface Game<Move extends { action: string }, Event extends { type: string }> {
  seats: number;
  seed: string;
  /** A move that reads well but is against the rules at the start. */
  illegal: Move;
  create(seats: Seat[], seed: string): Promise<Answer<Created<Move>, Move>>;
  join(match_id: string): Promise<Answer<Joined<Move>, Move>>;
  view(match_id: string, token?: string): Promise<Answer<View<Move>, Move>>;
  /** Makes a move, if the match is still at the view with that ETag, where one is given. */
  move(match_id: string, token: string, body: Move, etag?: string): Promise<Answer<Moved<Move, Event>, Move>>;
  events(match_id: string, after: number): Promise<Answer<Page<Event> | string, Move>>;
  replay(match_id: string): Promise<Answer<{ moves: { move: Move }[]; seed: string }, Move>>;
  copy(move: Move): Move;
  read(event: Event, note: Note): void;
}
/** Counts a member that may be null, by whether it was. */
export type Note = (name: string, value: unknown) => void;

const url = process.argv[2];
if (url === undefined) throw new Error("say where the service is");
export const client = createClient<paths>({ baseUrl: url });

/** The header that a token is sent with. */
export function bearer(token?: string): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Where a switch has left out nothing, so that no value is left over. */
export function never(value: never): never {
  throw new Error(`not in the contract: ${JSON.stringify(value)}`);
}
