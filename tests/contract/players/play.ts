/**
 * Plays a whole match of each game with the client that openapi-typescript and openapi-fetch make of
 * the contract: `node play.js URL`. It prints what happened, as JSON.
 *
 * All types are the contract's, without a cast: every move is built anew by its action, every event
 * read by its type, every refusal told apart from an answer.
 */
import { cardKeeper } from "./card_keeper.js";
import { evenSteven } from "./even_steven.js";
import { type Answer, type Game, never, type Note, type Refusal, type Seat, type View } from "./game.js";
import { sevenTwosTens } from "./seven_twos_tens.js";

function good<Data, Move>(answer: Answer<Data, Move>): Data {
  if (answer.data === undefined) throw new Error(`${answer.error?.type}: ${answer.error?.detail}`);
  return answer.data;
}

function refused<Data, Move>(answer: Answer<Data, Move>): Refusal<Move> {
  if (answer.error === undefined) throw new Error("this was to be refused");
  return answer.error;
}

/** A refusal by its type, with what it has to say besides. */
function told<Move>(problem: Refusal<Move>): string {
  switch (problem.type) {
    case "/problems/not-your-turn":
      return `${problem.type}: ${problem.to_act.join()}`;
    case "/problems/illegal-move":
      return `${problem.type}: ${problem.legal_moves.length} ${problem.rule ?? "by no ruling"}`;
    case "/problems/version-mismatch":
      return `${problem.type}: ${problem.version}`;
    case "/problems/validation":
      return `${problem.type}: ${Object.keys(problem.errors).join()}`;
    case "/problems/malformed-request":
    case "/problems/unauthorized":
    case "/problems/forbidden":
    case "/problems/not-found":
    case "/problems/match-waiting":
    case "/problems/match-finished":
    case "/problems/match-not-finished":
    case "/problems/match-full":
    case "/problems/seat-taken":
    case "/problems/too-large":
    case "/problems/unsupported-media-type":
    case "/problems/request-timeout":
    case "/problems/too-many-requests":
    case "/problems/internal-error":
    case "/problems/store-unavailable":
      return problem.type;
    default:
      return never(problem);
  }
}

async function play<Move extends { action: string }, Event extends { type: string }>(
  game: Game<Move, Event>,
): Promise<object> {
  const moves: Record<string, number> = {};
  const events: Record<string, number> = {};
  const nulls: Record<string, number> = {};
  const count = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const note: Note = (name, value) => count(nulls, value === null ? `${name} null` : name);
  const look = (view: View<Move>) => {
    note("you", view.you);
    if (view.you !== null) note("committed", view.you.committed);
    note("table", view.table);
    note("result", view.result);
    note("seed", view.seed);
    note("deadline", view.deadline);
    view.seats.forEach((seat) => note("name", seat.name));
    return view;
  };

  const seats: Seat[] = Array.from({ length: game.seats - 1 }, (_, n) => ({ name: `P${n}` }));
  const created = good(await game.create([...seats, { open: true }], game.seed));
  const match_id = created.match_id;
  look(created.view);
  const tokens = new Map(created.seats.map((ticket) => [ticket.seat, ticket.token]));
  const joined = good(await game.join(match_id));
  tokens.set(joined.seat, joined.token);
  let view = look(joined.view);
  const token = (seat: number | undefined) => tokens.get(seat ?? -1) ?? "";

  const problems = [
    refused(await game.view("aaaaaaaaaaaaaaaa")),
    refused(await game.move(match_id, "nobody's", game.illegal)),
    refused(await game.move(match_id, created.host_token, game.illegal)),
    refused(await game.move(match_id, token(view.to_act[0]), game.illegal)),
    refused(await game.move(match_id, token(view.to_act[0]), game.illegal, '"99-0"')),
    refused(await game.create([], game.seed)),
    refused(await game.replay(match_id)),
    refused(await game.join(match_id)),
  ];
  const listed = problems
    .flatMap((problem) => (problem.type === "/problems/illegal-move" ? problem.legal_moves : []))
    .map(game.copy);

  let made = 0;
  while (view.status === "playing") {
    const mover = token(view.to_act[0]);
    const legal = look(good(await game.view(match_id, mover))).legal_moves;
    const least = Math.min(...legal.map((move) => moves[move.action] ?? 0));
    const rare = legal.filter((move) => (moves[move.action] ?? 0) === least);
    const move = rare[made % rare.length];
    if (move === undefined) throw new Error("nothing is legal");
    const moved = good(await game.move(match_id, mover, game.copy(move)));
    moved.events.forEach((event) => game.read(event, note));
    count(moves, move.action);
    made += 1;
    look(good(await game.view(match_id, mover)));
    view = look(moved);
  }

  look(good(await game.view(match_id)));
  for (let after = 0; ; ) {
    const page = good(await game.events(match_id, after));
    if (typeof page === "string") throw new Error("a stream was not asked for");
    for (const event of page.events) {
      game.read(event, note);
      count(events, event.type);
    }
    after += page.events.length;
    if (after === page.last_seq) break;
  }
  const replay = good(await game.replay(match_id));
  return {
    moves,
    events,
    nulls,
    listed: listed.length,
    problems: problems.map(told),
    replayed: replay.moves.map(({ move }) => game.copy(move)).length,
    ranking: view.result?.ranking,
  };
}

console.log(
  JSON.stringify({
    "even-steven": await play(evenSteven),
    "card-keeper": await play(cardKeeper),
    "seven-twos-tens": await play(sevenTwosTens),
  }),
);
