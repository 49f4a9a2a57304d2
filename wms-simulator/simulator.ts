import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { answerAdmin, type Board } from "./admin.ts";
import { watchCalls, type Calls, type Lateness } from "./calls.ts";
import { answerCall, type Answer } from "./contract.ts";
import { breakdown, send, throttle } from "./damage.ts";
import { createDice, type Dice, type Fault, type Faults } from "./faults.ts";
import { openLedger } from "./ledger.ts";

export type SimulatorOptions = {
  /** 0: a free one. */
  port: number;
  seed: string;
  faults: Faults;
  keys: readonly string[] | null;
  /** Null: the ledger ends with the process. */
  ledgerFile: string | null;
  /** Gets a line of JSON for each call of an instance; null: none does. */
  callsFile: string | null;
  /** Null: orders stay new. */
  progressMs: number | null;
  /** Of the faults slow and late. */
  slowMs: number;
  /** Of the fault lag. */
  lagMs: number;
  /** Of the faults 429 and 403. */
  retryAfterSeconds: number;
};

export type Simulator = {
  port: number;
  /** For LIAISON_WMS_URL. */
  template: string;
  /** Without a slash at its end; below it are ledger, lateness, faults, keys and orders. */
  admin: string;
  lateness(): Lateness;
  close(): Promise<void>;
};

export const DEFAULTS: SimulatorOptions = {
  port: 0,
  seed: "1",
  faults: {},
  keys: null,
  ledgerFile: null,
  callsFile: null,
  progressMs: null,
  slowMs: 2_000,
  lagMs: 5_000,
  retryAfterSeconds: 1,
};

const BASE = "/api/v1";

type Running = { options: SimulatorOptions; board: Board; calls: Calls; roll: ReturnType<typeof createDice> };

/** A WMS of the contract (docs/wms.md) for each name under .localhost, with faults that can be switched on. */
export async function startSimulator(given: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const options = { ...DEFAULTS, ...given };
  const ledger = openLedger(options.ledgerFile);
  const struck = new Map<Fault, number>();
  const calls = watchCalls(options.callsFile);
  const running: Running = {
    options,
    calls,
    roll: createDice(options.seed, (fault) => struck.set(fault, (struck.get(fault) ?? 0) + 1)),
    board: {
      ledger,
      struck,
      calls: new Map(),
      switches: { faults: options.faults, ofInstance: new Map(), keys: options.keys },
      progressMs: options.progressMs,
      lateness: calls.lateness,
    },
  };
  const server = http.createServer((request, response) => {
    // A client that hangs up in the middle gets no answer.
    answer(running, request, response).catch(() => response.destroy());
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    template: `http://{subdomain}.localhost:${port}${BASE}`,
    admin: `http://127.0.0.1:${port}/simulator`,
    lateness: () => calls.lateness(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      ledger.close();
      calls.close();
    },
  };
}

async function answer(running: Running, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", headers } = request;
  const url = new URL(request.url ?? "/", "http://localhost");
  const body = parse(await text(request));
  if (url.pathname.startsWith("/simulator/")) return respond(response, admin(running, method, url, body));
  const [, name] = /^([a-z0-9-]+)\.localhost(?::\d+)?$/i.exec(headers.host ?? "") ?? [];
  if (name === undefined || !url.pathname.startsWith(`${BASE}/`)) {
    return respond(response, { status: 404, body: { error: `A WMS is at <subdomain>.localhost and below ${BASE}.` } });
  }
  await answerInstance(running, { name: name.toLowerCase(), method, url, body, headers }, response);
}

type Call = { name: string; method: string; url: URL; body: unknown; headers: IncomingMessage["headers"] };

async function answerInstance(running: Running, call: Call, response: ServerResponse): Promise<void> {
  const { board } = running;
  const path = call.url.pathname.slice(BASE.length);
  const idempotencyKey = [call.headers["idempotency-key"]].flat()[0] ?? null;
  count(board, call.name, `${call.method} ${path.replace(/\d+(?=$|\/cancel$)/, "{id}")}`);
  const faults = board.switches.ofInstance.get(call.name) ?? board.switches.faults;
  const asked = `${call.method} ${path}${call.url.search}`;
  const rolled = running.roll(faults, `${call.name} ${call.method} ${BASE}${path}${call.url.search} ${idempotencyKey}`);
  const pair = idempotencyKey ?? pairSought(call.url.searchParams);
  const watched = running.calls.begin({ instance: call.name, call: asked, pair }, rolled, response);
  try {
    await execute(running, { ...call, path, idempotencyKey }, watched, response);
  } finally {
    watched.over();
  }
}

async function execute(
  { options, board }: Running,
  call: Call & { path: string; idempotencyKey: string | null },
  watched: ReturnType<Calls["begin"]>,
  response: ServerResponse,
): Promise<void> {
  const { path, idempotencyKey } = call;
  const { dice } = watched;
  if (!mayEnter(board, call.headers.authorization)) {
    return respond(response, { status: 401, body: { error: "This key is unknown." } });
  }
  const instead = await insteadOfExecuting(dice, call, options);
  if (instead === "nothing") return;
  if (instead === "cut") return cut(response);
  if (instead !== null) return respond(response, instead);
  const executed = answerCall(
    {
      ledger: board.ledger,
      name: call.name,
      dice,
      now: Date.now(),
      progressMs: options.progressMs,
      lagMs: options.lagMs,
    },
    { method: call.method, path, query: call.url.searchParams, idempotencyKey, body: call.body },
  );
  watched.executed(executed);
  const after = dice.strikes("cut-after", "500-after", "slow");
  if (after === "cut-after") return cut(response);
  if (after === "500-after") return respond(response, breakdown(dice));
  if (after === "slow") await wait(options.slowMs);
  send(response, executed, dice);
}

/** The pair of a look-up. */
function pairSought(query: URLSearchParams): string | null {
  const [source, id] = [query.get("external_source"), query.get("external_order_id")];
  return source === null || id === null ? null : `${source}/${id}`;
}

/** The fault that keeps a call from being executed; null: none does. */
async function insteadOfExecuting(
  dice: Dice,
  { method, url }: Call,
  { slowMs, retryAfterSeconds }: SimulatorOptions,
): Promise<Answer | "cut" | "nothing" | null> {
  const refusing: Fault[] = method === "POST" ? ["422"] : [];
  const before: Fault[] = ["down", "hang", "cut-before", "500-before", "429", "403", ...refusing, "redirect", "late"];
  switch (dice.strikes(...before)) {
    case "down":
      return { status: 503, body: { error: "The warehouse is closed." } };
    case "hang":
      return "nothing";
    case "cut-before":
      return "cut";
    case "500-before":
      return breakdown(dice);
    case "429":
      return throttle(429, dice, Date.now(), retryAfterSeconds);
    case "403":
      return throttle(403, dice, Date.now(), retryAfterSeconds);
    case "422":
      return { status: 422, body: { error: "The warehouse does not want this order.", errors: {} } };
    case "redirect":
      return { status: 307, headers: { location: url.pathname + url.search }, body: { error: "Elsewhere." } };
    case "late":
      await wait(slowMs);
      return null;
    default:
      return null;
  }
}

function admin({ board }: Running, method: string, url: URL, body: unknown): Answer {
  try {
    return answerAdmin(board, method, url, body, Date.now());
  } catch (error) {
    return { status: 422, body: { error: (error as Error).message } };
  }
}

function mayEnter({ switches: { keys } }: Board, authorization = ""): boolean {
  const [, key] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  return key !== undefined && (keys === null || keys.includes(key));
}

function count({ calls }: Board, name: string, what: string): void {
  const counts = calls.get(name) ?? new Map<string, number>();
  calls.set(name, counts.set(what, (counts.get(what) ?? 0) + 1));
}

function respond(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

function cut(response: ServerResponse): void {
  response.socket?.destroy();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
