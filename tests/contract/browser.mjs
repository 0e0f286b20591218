// Opens the service's pages in headless Chromium and fails on anything that their policies refuse:
//
//     .venv/bin/node tests/contract/browser.mjs [http://127.0.0.1:8000] [chromium]
//
// Needs a running service, and a Chromium, which nothing else here needs.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [base = "http://127.0.0.1:8000", chromium = "chromium"] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "croupier-browser-"));
const options = ["--headless=new", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
if (process.getuid?.() === 0) options.push("--no-sandbox"); // Chromium has none for root
const browser = spawn(chromium, options, { stdio: ["ignore", "ignore", "pipe"] });
const watchdog = setTimeout(() => { console.error("took too long"); browser.kill("SIGKILL"); process.exit(1); }, 120_000);

// Chromium's own protocol, over the one socket that it opens.
const address = await new Promise((found) => {
  let told = "";
  browser.stderr.on("data", (data) => {
    told += data;
    const match = told.match(/DevTools listening on (ws:\S+)/);
    if (match) found(match[1]);
  });
});
const socket = new WebSocket(address);
await new Promise((opened) => { socket.onopen = opened; });
const waiting = new Map();
let complaints = [];
let asked = [];
socket.onmessage = ({ data }) => {
  const { id, result, error, method, params } = JSON.parse(data);
  if (id) waiting.get(id)(result ?? { error });
  if (method === "Log.entryAdded" && params.entry.level === "error") complaints.push(params.entry.text);
  if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.text);
  if (method === "Audits.issueAdded" && params.issue.code === "ContentSecurityPolicyIssue")
    complaints.push(JSON.stringify(params.issue.details.contentSecurityPolicyIssueDetails));
  if (method === "Network.requestWillBeSent") asked.push(params.request.url);
};
let sent = 0;
const send = (method, params = {}, sessionId) => new Promise((answered) => {
  waiting.set(++sent, answered);
  socket.send(JSON.stringify({ id: sent, method, params, sessionId }));
});
const { targetId } = await send("Target.createTarget", { url: "about:blank" });
const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
for (const domain of ["Page", "Runtime", "Log", "Network", "Audits"]) await send(`${domain}.enable`, {}, sessionId);

const pause = (ms) => new Promise((over) => setTimeout(over, ms));
const page = async (expression) =>
  (await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId)).result?.value;
// What an expression in the page gives, as soon as that is true.
const eventually = async (expression) => {
  for (let tries = 0; tries < 100; tries++) {
    const value = await page(expression);
    if (value) return value;
    await pause(100);
  }
  throw new Error(`never true: ${expression}`);
};
let faults = 0;
const check = (what, good, told = "") => {
  faults += good ? 0 : 1;
  console.log(`${good ? "ok  " : "FAIL"} ${what} ${good ? "" : told}`.trimEnd());
};
const visit = async (url, ready) => {
  complaints = [];
  asked = [];
  await send("Page.navigate", { url: "about:blank" }, sessionId);
  await send("Page.navigate", { url }, sessionId);
  await eventually(ready);
};
const quiet = (what) => check(`${what}: nothing is refused`, complaints.length === 0, complaints.join("\n"));
const own = (what) => check(`${what}: nothing comes from elsewhere`,
  asked.every((url) => url.startsWith(base) || /^(data|about):/.test(url)), asked.join("\n"));

try {
  await visit(`${base}/docs`, "document.querySelectorAll('.opblock').length > 40");
  quiet("/docs");
  own("/docs");
  await page(`Object.assign(window, {
    operation: (words) => [...document.querySelectorAll(".opblock")].find((block) =>
      block.querySelector(".opblock-summary-method").innerText + " " +
      block.querySelector(".opblock-summary-path").innerText.replace(/\\u200b/g, "") === words),
    press: (block, name) => { const button = block?.querySelector(name); button?.click(); return !!button; },
  }); 0`);
  for (const [words, status] of [["GET /v1/games", "200"], ["POST /v1/games/even-steven/matches", "201"]]) {
    const block = `operation(${JSON.stringify(words)})`;
    await page(`press(${block}, ".opblock-summary-control")`);
    await eventually(`press(${block}, ".try-out__btn")`);
    await eventually(`press(${block}, ".execute")`);
    const told = await eventually(`${block}.querySelector(".live-responses-table tbody .response-col_status")?.innerText`);
    check(`try it out: ${words} is answered with ${status}`, told.trim() === status, told);
  }
  await page(`press(operation("GET /v1/games/even-steven/matches/{match_id}/events"), ".opblock-summary-control")`);
  for (const [mediaType, begin] of [["text/event-stream", "retry: 1000\n"], ["application/x-ndjson", '{"match_id":']]) {
    const block = `operation("GET /v1/games/even-steven/matches/{match_id}/events").querySelector(".response")`;
    await eventually(`!!${block}?.querySelector("select.content-type")`);
    await page(`{ const select = ${block}.querySelector("select.content-type"); select.value = "${mediaType}";
      select.dispatchEvent(new Event("change", { bubbles: true })); }`);
    const example = `${block}.querySelector(".example code, .example pre")?.innerText`;
    await eventually(`${example}?.startsWith(${JSON.stringify(begin)})`).then(
      () => check(`a recorded stream is shown as it came: ${mediaType}`, true),
      async () => check(`a recorded stream is shown as it came: ${mediaType}`, false, await page(example)));
  }
  await page(`document.querySelector(".btn.authorize").click()`);
  await eventually(`!!document.querySelector(".modal-ux")`);
  quiet("trying it out");

  await visit(`${base}/docs?url=https://evil.example/a&configUrl=https://evil.example/b`,
    "document.querySelectorAll('.opblock').length > 40");
  own("/docs with a contract of somebody else's in its address");

  for (const path of ["/", "/problems/validation"]) {
    await visit(base + path, "document.querySelector('img')?.naturalWidth");
    check(`${path}: has its style`,
      (await page("getComputedStyle(document.querySelector('header')).backgroundColor")) !== "rgba(0, 0, 0, 0)");
    quiet(path);
  }

  const { cards } = await (await fetch(`${base}/v1/games/card-keeper`)).json();
  const card = base + cards[0].image;
  await visit(card, "document.documentElement?.tagName === 'svg'");
  quiet("a card as a page of its own");

  // A page of another origin shows cards, even one that lets in only what agrees; and nothing else.
  const html = `<!doctype html><img id="card" src="${card}"><img id="logo" src="${base}/static/logo.svg">
    <iframe id="docs" src="${base}/docs"></iframe><script src="${base}/v1/games"></script>`;
  const elsewhere = createServer((request, answer) => {
    const policy = request.url === "/strict" ? "require-corp" : "unsafe-none";
    answer.setHeader("Content-Type", "text/html");
    answer.setHeader("Cross-Origin-Embedder-Policy", policy);
    answer.end(html);
  });
  await new Promise((open) => elsewhere.listen(0, "127.0.0.1", open));
  for (const path of ["/strict", "/lax"]) {
    await visit(`http://localhost:${elsewhere.address().port}${path}`, "card.complete && logo.complete");
    check(`elsewhere${path}: a card is shown`, (await page("card.naturalWidth")) > 0);
    check(`elsewhere${path}: the logo is not`, (await page("logo.naturalWidth")) === 0);
  }
  for (let tries = 0; tries < 100 && complaints.length < 3; tries++) await pause(100);
  check("elsewhere/lax: the logo, /docs in a frame and an answer as a script are refused", complaints.length >= 3,
    complaints.join("\n"));
  elsewhere.closeAllConnections();
  elsewhere.close();
} finally {
  clearTimeout(watchdog);
  socket.close();
  browser.kill();
  await new Promise((gone) => browser.once("exit", gone));
  rmSync(profile, { recursive: true, force: true });
}
process.exit(faults ? 1 : 0);
