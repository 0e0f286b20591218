// Clients of that server: `node clients.js PORT MATCHES SOCKETS`. Each line of input is a number of
// seconds to play for; each line of output says how many moves the server has confirmed, and in
// how many seconds.
//
// With as many SOCKETS for a match as it has players, each player has one, as in a browser. With
// one, it moves for all players, and the server has one reader to tell of each move.
"use strict";

const readline = require("node:readline");
const { io } = require("socket.io-client");
const { game, PLAYERS } = require("./game.js");

const [port, matches, sockets] = process.argv.slice(2).map(Number);

let until = 0;
let confirmed = 0;
let begun = 0;

// One match after another, with one move under way for as long as time is taken.
class Table {
  constructor() {
    this.sockets = Array.from({ length: sockets }, (_, seat) => this.connect(String(seat)));
  }

  connect(seat) {
    const socket = io(`http://127.0.0.1:${port}/${game.name}`, { transports: ["websocket"] });
    socket.on("sync", (matchID, { state }) => this.hear(seat, matchID, state, false));
    socket.on("update", (matchID, state) => this.hear(seat, matchID, state, true));
    return socket;
  }

  // Whoever is told that it is their turn moves; a move counts when its own player is told of it.
  hear(seat, matchID, state, moved) {
    if (matchID !== this.matchID) return;
    const mine = sockets === 1 || seat === this.mover;
    if (moved && mine && performance.now() < until) confirmed += 1;
    const turn = sockets === 1 || seat === state.ctx.currentPlayer;
    if (state.ctx.gameover !== undefined) {
      if (seat === "0") this.begin();
      return;
    }
    if (!turn) return;
    this.state = state;
    if (performance.now() < until) this.move();
    else this.idle = true;
  }

  begin() {
    begun += 1;
    this.matchID = `${process.pid}-${begun}`;
    this.sockets.forEach((socket, seat) => {
      socket.emit("sync", this.matchID, String(seat), undefined, PLAYERS);
    });
  }

  move() {
    this.idle = false;
    this.mover = this.state.ctx.currentPlayer;
    const payload = { type: "act", args: [], playerID: this.mover };
    const socket = this.sockets[sockets === 1 ? 0 : Number(this.mover)];
    const action = { type: "MAKE_MOVE", payload };
    socket.emit("update", action, this.state._stateID, this.matchID, this.mover);
  }
}

const tables = Array.from({ length: matches }, () => new Table());
tables.forEach((table) => table.begin());

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const seconds = Number(line);
  const began = performance.now();
  confirmed = 0;
  until = began + 1000 * seconds;
  tables.filter((table) => table.idle).forEach((table) => table.move());
  setTimeout(() => {
    const moves = confirmed;
    const took = (performance.now() - began) / 1000;
    // What is still under way is over by then, so that the next one to play has the machine.
    setTimeout(() => console.log(JSON.stringify({ moves, seconds: took })), 200);
  }, 1000 * seconds);
}).on("close", () => process.exit());
