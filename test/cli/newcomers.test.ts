import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import fastify from "fastify";
import { listenOften } from "../../src/cli/processes/listen-often.ts";
import { poll } from "../program.ts";
import { accepts } from "../wire.ts";

const NEWCOMERS = 400;

/** A server whose only page is made by `answer`. */
async function listening(answer = async () => "") {
  const server = fastify();
  server.get("/", answer);
  const others = await listenOften(server, { host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, others, port, url: `http://127.0.0.1:${port}` };
}

/** Opens connections, and says so once the kernel has them all, whether or not the server has accepted them. */
const CLIENT = `
  const net = require("node:net");
  const { workerData: { port, newcomers, connected } } = require("node:worker_threads");
  const sockets = Array.from({ length: newcomers }, () => net.connect(port, "127.0.0.1"));
  Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve)))).then(() => {
    Atomics.store(connected, 0, 1);
    Atomics.notify(connected, 0);
  });
`;

test("of many newcomers the event loop accepts several in each turn", async () => {
  const { server, port } = await listening();
  let accepted = 0;
  server.server.on("connection", () => accepted++);
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(CLIENT, { eval: true, workerData: { port, newcomers: NEWCOMERS, connected } });
  await once(client, "online");
  const before = accepted;
  Atomics.wait(connected, 0, 0);
  const haveAllCome = () => accepted === NEWCOMERS;
  let turns = 0;
  for (; !haveAllCome(); turns++) await setImmediate();
  await client.terminate();
  await server.close();
  assert.ok(turns < (NEWCOMERS - before) / 4, `${NEWCOMERS - before} in ${turns} turns`);
});

test("the end waits for the requests in flight of all sockets", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  let inFlight = 0;
  const { server, others, url } = await listening(async () => {
    inFlight++;
    await released;
    order.push("answer");
    return "done";
  });
  const asked = Array.from({ length: 64 }, async () => (await fetch(url)).text());
  await poll("the requests", () => inFlight === asked.length);
  const closed = Promise.all([server.close(), others.ended().then(() => order.push("end"))]);
  await poll("the end of accepting", async () => !(await accepts(url)));
  release();
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(["done"]));
  server.server.closeIdleConnections();
  await closed;
  assert.deepEqual([order.length, order.at(-1)], [asked.length + 1, "end"]);
});
