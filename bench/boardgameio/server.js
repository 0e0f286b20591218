// boardgame.io's own server, matches kept in memory. Prints the port that it listens on.
"use strict";

const { Server } = require("boardgame.io/server");
const { game } = require("./game.js");

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
// A port of 0 would not count as one that is given.
server.run({ port: { port: 0, host: "127.0.0.1" } }).then(({ appServer }) => {
  console.log(JSON.stringify({ port: appServer.address().port }));
});
