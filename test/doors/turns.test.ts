import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import http from "node:http";
import { test } from "node:test";
import { Overloaded } from "../../src/platform/sharing/overloaded.ts";
import { PRICES } from "../../src/platform/sharing/prices.ts";
import { everyDoor } from "../every-door.ts";
import { startServer } from "../harness.ts";
import { signedIn } from "./pages/visitor.ts";

/** At every door a request waits for its turn before anything else is done for it. */

const server = await startServer({ LIAISON_TRUSTED_PROXIES: "127.0.0.1/32" });
const { time } = server.deps.sharing;
const waitForTurn = time.waitForTurn.bind(time);
/** Whose turns were waited, in their order. */
let waited: string[] = [];
/** The milliseconds that were paid for, of each turn. */
let paid: number[] = [];
const noting: typeof waitForTurn = (holder, ms, ...rest) => {
  waited.push(holder);
  paid.push(ms);
  return waitForTurn(holder, ms, ...rest);
};
time.waitForTurn = noting;

const NETWORK = "network/192.0.2.0";

type Heard = { status: number; location: string | undefined };

async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Heard> {
  return await new Promise((resolve, reject) => {
    const from = { "x-forwarded-for": "192.0.2.1", accept: "text/html", "sec-fetch-site": "same-origin", ...headers };
    const request = http.request(`${server.url}${path}`, { method, headers: from, agent: false }, (response) => {
      response.resume().on("end", () => {
        resolve({ status: response.statusCode ?? 0, location: response.headers.location });
      });
    });
    request.on("error", reject).end();
  });
}

const token = () => randomBytes(32).toString("base64url");

/** Callers without a key or cookie, or with an invented one. */
const strangers: Record<string, () => Record<string, string>> = {
  nothing: () => ({}),
  "a random key": () => ({ authorization: `Bearer tenant-1.${token()}` }),
  "a random cookie": () => ({ cookie: `liaison=${token()}` }),
};

const doors = everyDoor(server.server).map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, "1") }));
const missing = ["GET", "POST", "PROPFIND"].flatMap((method) =>
  ["/nothing", "/api/v1/nothing", "/api/v1/companies//history"].map((path) => ({ method, path })),
);
const refused = ["DELETE /health/live", "PUT /companies", "PATCH /api/v1/companies", "OPTIONS /sign-in"].map((line) => {
  const [method = "", path = ""] = line.split(" ");
  return { method, path };
});
const everything = [...doors, ...missing, ...refused];

for (const [who, headersOf] of Object.entries(strangers)) {
  test(`a stranger with ${who} takes the turn of a network at every door`, async () => {
    assert.ok(doors.length > 150, String(doors.length));
    for (const { method, path } of everything) {
      waited = [];
      await ask(method, path, headersOf());
      assert.equal(waited[0], NETWORK, `${method} ${path}`);
    }
  });
}

test("a request without a turn gets no answer, no look-up and no redirect", async () => {
  time.waitForTurn = async () => await Promise.reject(new Overloaded("the test wants it so"));
  try {
    for (const headersOf of Object.values(strangers)) {
      for (const { method, path } of everything) {
        const answer = await ask(method, path, headersOf());
        assert.deepEqual(answer, { status: 503, location: undefined }, `${method} ${path}`);
      }
    }
  } finally {
    time.waitForTurn = noting;
  }
});

test("whose key or cookie was good before takes the turn of their tenant, and nobody's network's", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const [cookie = ""] = [...member.cookies].map((pair) => pair.join("="));
  const known = [
    { path: "/companies", headers: { cookie } },
    { path: "/api/v1/companies", headers: { authorization: `Bearer ${tenant.token}` } },
  ];
  for (const { path, headers } of known) {
    for (const holder of [NETWORK, tenant.id]) {
      waited = [];
      assert.equal((await ask("GET", path, headers)).status, 200);
      assert.equal(waited[0], holder);
      if (holder === tenant.id) assert.deepEqual(new Set(waited), new Set([tenant.id]), path);
    }
  }
});

test("a file is paid for while it is stored, before any of its rows is read", async () => {
  const member = await signedIn(server, await server.createTenant());
  const one = "name\nA\n";
  await member.upload("/imports", { kind: "companies" }, { "a.csv": one });
  const most = async (rows: string) => {
    paid = [];
    assert.equal((await member.upload("/imports", {}, { "a.csv": one + rows })).status, 303);
    return paid.reduce((sum, ms) => sum + ms, 0);
  };
  const [little, large] = [await most(""), await most("A\n".repeat(2 ** 20))];
  assert.ok(large >= 2 * PRICES.megabyteOfImport, `${large} ms`);
  // What the answers to a page's statements cost is far below it.
  assert.ok(little < PRICES.megabyteOfImport / 4, `${little} ms`);
});

test("items of a batch, and changes with their resources, are paid for by their number", async () => {
  const tenant = await server.createTenant();
  const items = Array.from({ length: 30 }, (_, n) => ({ name: `Company ${n}` }));
  const asked = {
    "a batch": async () => await tenant.post("/api/v1/companies/batch", { items }),
    "a page of changes": async () => await tenant.get("/api/v1/changes?include=resource"),
  };
  for (const [what, ask] of Object.entries(asked)) {
    paid = [];
    assert.equal((await ask()).status, 200);
    assert.ok(paid.includes(items.length * PRICES.itemOfBatch), what);
  }
});
