import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import { after, test } from "node:test";
import tls from "node:tls";
import { parseNetworks } from "../../../src/platform/network.ts";
import {
  openHttpClient,
  type Exchange,
  type HttpClient,
  type HttpClientOptions,
} from "../../../src/platform/outbound/http-client.ts";
import { expired, key, valid } from "../../certificates.ts";
import { startNameServer } from "../../name-server.ts";

const LOOPBACK = parseNetworks("127.0.0.1");
const MAX_ANSWER = 64 * 1024;
const closing: (() => unknown)[] = [];

after(async () => {
  for (const close of closing) await close();
});

test("an answer comes whole, with its status and headers, over connections that are used again", async () => {
  const ports = new Set<number | undefined>();
  const { url } = await listen((request, response) => {
    ports.add(request.socket.remotePort);
    response.setHeader("x-asked", `${request.method} ${request.url} ${String(request.headers["x-mark"])}`);
    request.pipe(response.writeHead(207));
  });
  const client = open();
  for (let i = 0; i < 6; i++) {
    const headers = { "x-mark": "m" };
    const answer = answered(await client.exchange({ method: "POST", url: new URL("/a?b=c", url), headers, body: "ș" }));
    assert.deepEqual([answer.status, answer.body.toString()], [207, "ș"]);
    assert.equal(answer.headers["x-asked"], "POST /a?b=c m");
  }
  // A connection that has just answered is not free yet.
  assert.ok(ports.size <= 2, `${ports.size} connections`);
});

test("no redirect is followed", async () => {
  const asked: string[] = [];
  const { url } = await listen((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  assert.equal(answered(await get(open(), url)).status, 307);
  assert.deepEqual(asked, ["/"]);
});

/** The ways to write 127.0.0.1, or to get there, in a URL. */
const DISGUISES = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "①②⑦.0.0.1",
  "0.0.0.0",
  "0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "localhost",
  "localhost.",
  "acme.localhost",
  "ACME.LOCALHOST",
  "acme.localhost.",
];

test("nobody is connected to at an address that is not allowed, however it is written", async () => {
  const { url, connections } = await listen((_request, response) => response.end());
  const client = open({ privateNetworks: [] });
  for (const host of DISGUISES) {
    assert.deepEqual(await get(client, `http://${host}:${url.port}/`), { outcome: "unsent", reason: "address" }, host);
    const secure = await get(client, `https://${host}:${url.port}/`);
    assert.deepEqual(secure, { outcome: "unsent", reason: "address" }, `https ${host}`);
  }
  assert.equal(connections(), 0);
  // Each would have reached it or nothing, and one certainly would.
  assert.equal(answered(await get(open(), `http://acme.localhost:${url.port}/`)).status, 200);
});

test("a name is judged by all its addresses, and connected to at those that were judged", async () => {
  const { url, connections } = await listen((_request, response) => response.end());
  const addresses: Record<string, string[]> = {
    "inside.test": ["127.0.0.1"],
    "mixed.test": ["93.184.215.14", "10.0.0.1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "both.test": ["2606:4700::1111", "127.0.0.1"],
    "linklocal.test": ["169.254.169.254"],
  };
  const names = await startNameServer((name) => addresses[name] ?? []);
  closing.push(names.close);
  const guarded = open({ privateNetworks: [], nameServers: [names.address] });
  for (const name of Object.keys(addresses)) {
    const result = await get(guarded, `http://${name}:${url.port}/`);
    assert.deepEqual(result, { outcome: "unsent", reason: "address" }, name);
  }
  assert.deepEqual(await get(guarded, `http://missing.test:${url.port}/`), { outcome: "unsent", reason: "name" });
  assert.equal(connections(), 0);

  const inside = open({ nameServers: [names.address] });
  assert.equal(answered(await get(inside, `http://inside.test:${url.port}/`)).status, 200);
});

test("a name that changes its address between the check and the connection gains nothing", async () => {
  const { url } = await listen((_request, response) => response.setHeader("connection", "close").end());
  let current = ["127.0.0.1"];
  const names = await startNameServer(() => current);
  closing.push(names.close);
  const client = open({ nameServers: [names.address] });
  assert.equal(answered(await get(client, `http://rebinding.test:${url.port}/`)).status, 200);
  assert.equal(names.asked.length, 1, "the address that was checked is the one connected to: no second question");
  current = ["127.0.0.2"];
  const result = await get(client, `http://rebinding.test:${url.port}/`);
  assert.deepEqual(result, { outcome: "unsent", reason: "address" }, "and every connection asks again");
});

test("names that end in .localhost are asked of no name server", async () => {
  const names = await startNameServer(() => ["127.0.0.1"]);
  closing.push(names.close);
  const { url } = await listen((_request, response) => response.end());
  assert.equal(
    answered(await get(open({ nameServers: [names.address] }), `http://a.b.localhost:${url.port}/`)).status,
    200,
  );
  assert.deepEqual(names.asked, []);
});

test("what cannot be connected to was not executed", async () => {
  const { url, close } = await listen((_request, response) => response.end());
  close();
  assert.deepEqual(await get(open(), url), { outcome: "unsent", reason: "connect" });
  const plain = await listen((_request, response) => response.end());
  const secure = new URL(plain.url.href.replace("http:", "https:"));
  assert.deepEqual(await get(open(), secure), { outcome: "unsent", reason: "tls" }, "no TLS there");
});

test("a certificate is one that is trusted, of the name that is called, and of today", async () => {
  const served = async (cert: string, name: string) => {
    const server = https.createServer({ key, cert }, (_request, response) => response.end("there"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    return (await get(open(), `https://${name}.localhost:${port}/`)) as { outcome: string; reason?: string };
  };
  const refused = { outcome: "unsent", reason: "tls" };
  assert.deepEqual(await served(valid, "nord"), refused, "of nobody that is trusted");
  const trusted = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...trusted, valid, expired]);
  try {
    assert.equal((await served(valid, "nord")).outcome, "answered");
    assert.deepEqual(await served(valid, "sud"), refused, "of another name");
    assert.deepEqual(await served(expired, "nord"), refused, "expired");
  } finally {
    tls.setDefaultCACertificates(trusted);
  }
});

test("a connection that is not there in 5 seconds was none, its handshake included", async () => {
  const url = await listenRaw(() => {});
  const secure = new URL(url.href.replace("http:", "https:"));
  assert.deepEqual(await get(open({ timeoutMs: 30_000 }), secure), { outcome: "unsent", reason: "connect-timeout" });
});

const broken: [name: string, answer: string | null, expected: Exchange][] = [
  ["is not answered", "", { outcome: "unknown", reason: "broken" }],
  [
    "is answered by half",
    "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
    { outcome: "unknown", reason: "broken" },
  ],
  [
    "is answered by a chunk and no end",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    { outcome: "unknown", reason: "broken" },
  ],
  ["is answered by something else than HTTP", "220 mail ready\r\n\r\n", { outcome: "unknown", reason: "protocol" }],
  [
    "is answered by endless headers",
    `HTTP/1.1 200 OK\r\n${"x-h: 0123456789\r\n".repeat(2_000)}\r\n`,
    { outcome: "unknown", reason: "too-large" },
  ],
  [
    "announces too large an answer",
    `HTTP/1.1 200 OK\r\ncontent-length: ${MAX_ANSWER + 1}\r\n\r\n${"x".repeat(MAX_ANSWER + 1)}`,
    { outcome: "unknown", reason: "too-large" },
  ],
  [
    "is answered by too much in chunks",
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${`1000\r\n${"x".repeat(4096)}\r\n`.repeat(20)}0\r\n\r\n`,
    { outcome: "unknown", reason: "too-large" },
  ],
  ["gets a reset", null, { outcome: "unknown", reason: "broken" }],
];

for (const [name, answer, expected] of broken) {
  test(`a request that ${name} may have been executed`, async () => {
    const url = await listenRaw((socket) => (answer === null ? socket.resetAndDestroy() : socket.end(answer)));
    const result = await get(open(), url);
    // Its body would make a long comparison.
    assert.notEqual(result.outcome, "answered");
    assert.deepEqual(result, expected);
  });
}

test("the largest answer that is allowed comes whole", async () => {
  const { url } = await listen((_request, response) => response.end("x".repeat(MAX_ANSWER)));
  assert.equal(answered(await get(open(), url)).body.length, MAX_ANSWER);
});

test("the limit is that of the whole exchange: an answer that drips does not stretch it", async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(drip));
  });
  assert.deepEqual(await get(open({ timeoutMs: 400 }), url), { outcome: "unknown", reason: "timeout" });
});

test("a request that its limit finds waiting for a connection was not executed, now or later", async () => {
  const asked: string[] = [];
  let release = () => {};
  const { url } = await listen((request, response) => {
    asked.push(request.url ?? "");
    release = () => response.end();
  });
  const client = open({ connectionsPerHost: 1 });
  const first = get(client, new URL("/first", url));
  while (asked.length < 1) await new Promise(setImmediate);
  const signal = AbortSignal.timeout(100);
  const second = await client.exchange({ method: "POST", url: new URL("/second", url), headers: {}, signal });
  assert.deepEqual(second, { outcome: "unsent", reason: "stopped" });
  release();
  assert.equal(answered(await first).status, 200);
  const third = get(client, new URL("/third", url));
  while (asked.length < 2) await new Promise(setImmediate);
  release();
  await third;
  assert.deepEqual(asked, ["/first", "/third"]);
});

test("a host that hangs slows no other", async () => {
  const hanging = await listen(() => {});
  const quick = await listen((_request, response) => response.end());
  const client = open({ connectionsPerHost: 2, timeoutMs: 60_000 });
  const stop = new AbortController();
  const waiting = Array.from({ length: 20 }, () =>
    client.exchange({ method: "GET", url: hanging.url, headers: {}, signal: stop.signal }),
  );
  assert.equal(answered(await get(client, quick.url)).status, 200);
  stop.abort();
  const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome);
  assert.deepEqual([...new Set(outcomes)].toSorted(), ["unknown", "unsent"]);
  assert.ok(hanging.connections() <= 2);
});

test("closing breaks off what is under way", async () => {
  const { url, connections } = await listen(() => {});
  const client = open({ timeoutMs: 60_000 });
  const waiting = get(client, url);
  while (connections() === 0) await new Promise(setImmediate);
  await client.close();
  assert.deepEqual(await waiting, { outcome: "unknown", reason: "stopped" });
  assert.deepEqual(await get(client, url), { outcome: "unsent", reason: "stopped" });
});

test("while calls are held no connection is made, and the next call goes out once they are not", async () => {
  let areHeld = true;
  const { url, connections } = await listen((_request, response) => response.end());
  const client = open({ areCallsHeld: async () => areHeld });
  assert.deepEqual(await get(client, url), { outcome: "unsent", reason: "held" });
  assert.equal(connections(), 0);
  areHeld = false;
  assert.equal(answered(await get(client, url)).status, 200);
});

test("a call that waits for a connection when calls become held does not leave", async () => {
  const asked: string[] = [];
  let release = () => {};
  const { url } = await listen((request, response) => {
    asked.push(request.url ?? "");
    release = () => response.end();
  });
  let areHeld = false;
  const client = open({ connectionsPerHost: 1, timeoutMs: 20_000, areCallsHeld: async () => areHeld });
  const first = get(client, new URL("/first", url));
  while (asked.length < 1) await new Promise(setImmediate);
  const second = get(client, new URL("/second", url));
  await new Promise(setImmediate);
  areHeld = true;
  assert.deepEqual(await second, { outcome: "unsent", reason: "held" });
  release();
  assert.equal(answered(await first).status, 200);
  areHeld = false;
  const third = get(client, new URL("/third", url));
  while (asked.length < 2) await new Promise(setImmediate);
  release();
  await third;
  assert.deepEqual(asked, ["/first", "/third"]);
});

function open(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = openHttpClient({
    to: "test",
    privateNetworks: LOOPBACK,
    timeoutMs: 60_000,
    maxAnswer: MAX_ANSWER,
    connectionsPerHost: 4,
    areCallsHeld: async () => false,
    ...options,
  });
  closing.push(() => client.close());
  return client;
}

function get(client: HttpClient, url: URL | string): Promise<Exchange> {
  return client.exchange({ method: "GET", url: new URL(url), headers: {} });
}

function answered(result: Exchange): Extract<Exchange, { outcome: "answered" }> {
  assert.ok(result.outcome === "answered", JSON.stringify(result));
  return result;
}

type Listening = { url: URL; connections: () => number; close: () => void };

async function listen(answer: http.RequestListener): Promise<Listening> {
  const server = http.createServer(answer);
  let connections = 0;
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/`), connections: () => connections, close };
}

/** Answers the first bytes of every connection. */
async function listenRaw(answer: (socket: Socket) => unknown): Promise<URL> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}
