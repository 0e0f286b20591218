/** Plays one match against two bots, with types made of the contract. How to run it: docs/examples.md */
import createClient from "openapi-fetch";
import type { paths } from "./croupier.js";

const GAMES = ["even-steven", "card-keeper", "seven-twos-tens"] as const;

/** What an answer holds; a refusal ends the program with what the service says about it. */
function good<Data>(answer: { data?: Data; error?: { type: string; detail: string } }): Data {
  if (answer.data === undefined) throw new Error(`refused: ${answer.error?.type}: ${answer.error?.detail}`);
  return answer.data;
}

/** Plays a whole match with random moves, telling each event; who won. */
async function play(game: (typeof GAMES)[number], baseUrl: string): Promise<string> {
  const client = createClient<paths>({ baseUrl });
  const created = good(
    await client.POST(`/v1/games/${game}/matches`, {
      body: { seats: [{ name: "Ada" }, { bot: "random" }, { bot: "random" }] },
    }),
  );
  const params = { path: { match_id: created.match_id } };
  const headers = { Authorization: `Bearer ${created.seats[0]?.token}` };
  console.log(`Ada plays at ${baseUrl}/v1/games/${game}/matches/${created.match_id}`);

  const look = async () => good(await client.GET(`/v1/games/${game}/matches/{match_id}`, { params, headers }));
  let view = await look();
  const name = (seat: number) => view.seats[seat]?.name ?? `Seat ${seat}`;
  while (view.status !== "finished") {
    const body = view.legal_moves[Math.floor(Math.random() * view.legal_moves.length)];
    if (body === undefined) {
      view = await look(); // the bots play on among themselves
      continue;
    }
    const moved = good(
      await client.POST(`/v1/games/${game}/matches/{match_id}/moves`, { params, headers, body }),
    );
    for (const event of moved.events) {
      if (!("seat" in event)) continue;
      const cards = "cards" in event && event.cards !== null ? event.cards.join(" ") : "";
      console.log(`${String(event.version).padStart(5)}  ${name(event.seat)}: ${event.type} ${cards}`);
    }
    view = moved;
  }
  const winners = view.result?.winners.map(name).join(" and ");
  return `${winners} won after ${view.version} moves: ${view.result?.reason}.`;
}

const [word, url = "http://127.0.0.1:8000"] = process.argv.slice(2);
const game = GAMES.find((known) => known === word);
try {
  if (game === undefined) throw new Error(`say which game: ${GAMES.join(", ")}`);
  console.log(await play(game, url));
} catch (error) {
  const wrong = error instanceof Error ? error.message : String(error);
  console.error(wrong === "fetch failed" ? `no service answers at ${url}; start one with: make run` : wrong);
  process.exitCode = 1;
}
