import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createInstallation } from "../cli/installation.ts";
import { request } from "../harness.ts";
import { scrape } from "../metrics-text.ts";
import { freePort, poll, serve, start, type Server } from "../program.ts";
import { childrenOf } from "./process-list.ts";

const installation = await createInstallation();

/** Each has a line of some 350 bytes: together more than what waits in memory and in a pipe. */
const REQUESTS = 4_500;
const LONG_ID = "x".repeat(128);
const PATIENCE_MS = 30_000;
/** What a file may have, in blocks of 1,024 bytes. */
const BLOCKS = 64;

type Line = { msg: string; lines?: number };

/** The command line of a shell that runs a program with other places for what it writes. */
const redirected = (redirection: string) => ["bash", "-c", `${redirection}; exec "$@"`, "bash"];

/** A server whose standard error goes elsewhere and has a line for each request. */
async function serveLogging(redirection: string, options: string[] = []): Promise<Server & { metrics: string }> {
  const port = await freePort();
  const environment = { ...installation.environment, LIAISON_ACCESS_LOG: "on", LIAISON_METRICS_PORT: String(port) };
  const server = await serve(environment, redirected(redirection), options);
  return { ...server, metrics: `http://127.0.0.1:${port}/metrics` };
}

/** Sends many requests on one connection, and waits for their answers. */
async function askManyTimes(url: string, times = REQUESTS): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const one = `GET /health/live HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${LONG_ID}\r\n`;
  socket.write(`${`${one}\r\n`.repeat(times - 1)}${one}Connection: close\r\n\r\n`);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("the server does not answer")));
  const answers = await text(socket);
  assert.equal(answers.split("HTTP/1.1 200").length - 1, times);
}

async function dropped(metrics: string): Promise<number> {
  return (await scrape(metrics)).value("liaison_log_lines_dropped_total");
}

async function stop(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}

function linesOf(log: string): Line[] {
  return log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

test("a log on a full disk costs lines, which are counted, and no request", async () => {
  const server = await serveLogging("exec 2>/dev/full");
  await askManyTimes(server.url);
  assert.equal((await request(server.url, "GET", "/health/ready")).status, 200);
  const lost = await dropped(server.metrics);
  assert.ok(lost > 0 && lost < REQUESTS, `${lost} lines`);
  await stop(server);
});

test("a log in a pipe that nobody reads costs lines, and what is read later says how many", async () => {
  const pipe = path.join(installation.dataDir, "log.pipe");
  spawnSync("mkfifo", [pipe]);
  // The reader of a pipe that it does not read yet.
  const reader = fs.openSync(pipe, fs.constants.O_RDWR);
  const server = await serveLogging(`exec 2>${pipe}`);
  await askManyTimes(server.url);
  const lost = await dropped(server.metrics);
  assert.ok(lost > 0, "more is kept than may be");
  const log = fs.createReadStream("", { fd: fs.openSync(pipe, "r"), encoding: "utf8" });
  fs.closeSync(reader);
  let read = "";
  log.on("data", (piece) => (read += String(piece)));
  await poll("the line about lost lines", () => /lines were dropped"\}\n/.test(read));
  await request(server.url, "GET", "/health/ready");
  await stop(server);
  await poll("the end of the log", () => log.closed);
  const lines = linesOf(read);
  const told = lines.filter(({ msg }) => msg.includes("dropped"));
  assert.deepEqual(
    told.map((line) => line.lines),
    [lost],
  );
  const requests = lines.filter(({ msg }) => msg === "request");
  assert.equal(requests.length, REQUESTS + 1 - lost, "of each request that is not counted there is a line");
});

test("a log in a pipe that nobody reads keeps no process from ending, whichever ended before", async (t) => {
  const pipe = path.join(installation.dataDir, "unread.pipe");
  spawnSync("mkfifo", [pipe]);
  const reader = fs.openSync(pipe, fs.constants.O_RDWR);
  // Without a reader every write fails, so that nothing stays behind.
  t.after(() => fs.closeSync(reader));
  const server = await serveLogging(`exec 2>${pipe}`, ["--processes", "2"]);
  // The processes take connections in turns: both have lines that wait.
  await Promise.all([askManyTimes(server.url), askManyTimes(server.url)]);
  const [killed, other] = childrenOf(server.process.pid ?? 0);
  assert.ok(killed !== undefined && other !== undefined);
  process.kill(killed, "SIGKILL");
  await poll("another process", () => {
    const now = childrenOf(server.process.pid ?? 0);
    return now.length === 2 && !now.includes(killed);
  });
  server.process.kill("SIGTERM");
  await poll("the end of the processes", () => server.process.exitCode !== null);
  assert.equal(server.process.exitCode, 0);
});

test("a log file that is full and gets room again goes on with whole lines", async () => {
  const file = path.join(installation.dataDir, "liaison.log");
  const server = await serveLogging(`trap '' XFSZ; ulimit -f ${BLOCKS}; exec 2>>${file}`);
  await askManyTimes(server.url);
  assert.equal(fs.statSync(file).size, BLOCKS * 1_024);
  const lost = await dropped(server.metrics);
  assert.ok(lost > 0);
  let read = "";
  await poll("the line about lost lines", () => {
    const text = fs.readFileSync(file, "utf8");
    // Only a full file may be emptied: into another one a line may come between the reading and the emptying.
    if (text.length === BLOCKS * 1_024) {
      read += text;
      fs.truncateSync(file);
      return false;
    }
    const all = read + text;
    if (!all.includes("lines were dropped") || !all.endsWith("\n")) return false;
    read = all;
    return true;
  });
  assert.equal(linesOf(read).find(({ msg }) => msg.includes("dropped"))?.lines, lost);
  await stop(server);
});

test("a server starts and stops while neither of its outputs can be written", async () => {
  for (const redirection of ["exec >/dev/full 2>&1", "exec > >(exec true) 2>&1; sleep 0.2"]) {
    const port = await freePort();
    const ports = { PORT: String(port), LIAISON_METRICS_PORT: String(await freePort()) };
    const environment = { ...installation.environment, ...ports, LOG_LEVEL: "info" };
    // It has two lines for people: its own port, and that of its metrics.
    const server = start(["serve"], environment, "", redirected(redirection));
    const isReady = async () => (await request(`http://127.0.0.1:${port}`, "GET", "/health/ready")).status === 200;
    await poll("the server's start", async () => await isReady().catch(() => false));
    server.process.kill("SIGTERM");
    assert.equal(await server.ended, 0, redirection);
    const refused = start(["serve"], { ...environment, PORT: "none" }, "", redirected(redirection));
    assert.equal(await refused.ended, 1, redirection);
  }
});
