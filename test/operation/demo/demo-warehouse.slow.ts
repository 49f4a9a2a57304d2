import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { visitor, type Visitor } from "../../doors/pages/visitor.ts";
import { createDataDirectory, migratedDataDirectory, serveFrom } from "../../failure/data-directory.ts";
import { poll, start, type Server } from "../../program.ts";

/** The warehouse that the demo has beside it: a program as people start it, with nothing set up. */

const LINE =
  /A warehouse for the demo runs beside it; its orders are at (http:\/\/127\.0\.0\.1:\d+)\/simulator\/ledger\./;

async function signIn(server: Server): Promise<Visitor> {
  const [, email = "", password = ""] = /workspace demo, e-mail (\S+), password (\S+)/.exec(server.output()) ?? [];
  const person = visitor(server);
  const answer = await person.post("/sign-in", { workspace: "demo", email, password });
  assert.equal(answer.status, 303);
  return person;
}

/** The number beside Orders in the navigation. */
async function badgeOf(person: Visitor): Promise<number> {
  const [, count] = /id="in-need"[^>]*>(\d+)</.exec((await person.get("/profile")).text) ?? [];
  return Number(count);
}

async function isThere(address: string): Promise<boolean> {
  return await fetch(`${address}/simulator/ledger`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);
}

test("out of the box a person sends an invoice of the demo and watches its order become shipped", async () => {
  const dataDir = createDataDirectory();
  const server = await serveFrom(dataDir);
  const [, address = ""] = LINE.exec(server.output()) ?? [];
  assert.ok(await isThere(address), server.output());
  const person = await signIn(server);

  // Every state of the table is there: the newest orders, and an old one that somebody has to confirm.
  const text = `${(await person.get("/orders?per_page=200")).text}${(await person.get("/orders?state=attention")).text}`;
  const words = new Set(
    [...text.matchAll(/<td class="why"[^>]*><span class="state (\w+)">([^<]+)</g)].map(
      ([, meaning, word]) => `${word}, ${meaning}`,
    ),
  );
  for (const shown of [
    "Not sent, neutral",
    "In the queue, waiting",
    "Sending, waiting",
    "Checking, waiting",
    "Refused, wrong",
    "Packed, waiting",
    "Shipped, good",
    "Delivered, good",
    "Cancelled by the warehouse, attention",
    "Cancelled, neutral",
    "Missing in the warehouse, wrong",
    "To be confirmed, attention",
  ]) {
    assert.ok(words.has(shown), `${shown} is not among ${[...words].join("; ")}`);
  }

  // Every need has a button that ends it, or puts it off.
  assert.ok((await badgeOf(person)) > 0);
  const needs = (await person.get("/orders?state=attention")).text.split("<tr>").slice(2);
  for (const row of needs) {
    const [settle] = /\/invoices\/\d+\/settle/.exec(row) ?? [];
    const [putOff] = /\/invoices\/\d+\/put-off/.exec(row) ?? [];
    if (settle !== undefined) await person.post(settle);
    else if (putOff !== undefined) await person.post(putOff, { days: "7" });
    else assert.match(row, /href="\/warehouse\/reconfirm"/);
  }
  const links = (await person.get("/warehouse/reconfirm")).text.matchAll(
    /formaction="(\/invoices\/\d+\/not-an-order)" name="order" value="(\d+)"/g,
  );
  for (const [, link = "", order = ""] of links) await person.post(link, { order });
  assert.equal(await badgeOf(person), 0);
  assert.match((await person.get("/orders?state=attention")).text, /Nothing needs attention\./);

  const [, unsent = ""] =
    /formaction="(\/invoices\/\d+)\/send"/.exec(
      (await person.get("/orders?state=not_sent&search=DMO-2026-0208")).text,
    ) ?? [];
  assert.equal((await person.post(`${unsent}/send`)).status, 303);
  await poll(
    "the order to be shipped",
    async () => (await person.get(unsent)).text.includes('<span class="state good">Shipped</span>'),
    60,
  );

  // The commands beside the server reach it too.
  const environment = { LIAISON_DATA_DIR: dataDir };
  const wms = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(
      ["wms", ...args, "--tenant", "demo", "--json"],
      environment,
    ).finished();
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, number>;
  };
  assert.ok(Number((await wms("redrive")).queued) > 0);
  assert.ok(Number((await wms("sync")).checked) > 0);
  assert.ok(Number((await wms("push", "--all")).queued) > 0);
  await wms("reconfirm");
  // Its file can be restored, although nobody else of it can sign in.
  const file = path.join(dataDir, "demo.tenant");
  for (const command of [
    ["backup", "demo", file],
    ["restore", file, "--as", "copy"],
  ]) {
    const { code, stderr } = await start(["tenant", ...command], environment).finished();
    assert.equal(code, 0, stderr);
  }

  // Another tenant's connection leads nowhere near.
  assert.equal((await start(["tenant", "create", "other", "--name", "Other"], environment).finished()).code, 0);
  const key = await start(
    [
      "key",
      "create",
      "--tenant",
      "other",
      "--name",
      "K",
      "--capabilities",
      "companies:write,invoices:write,wms-orders:write",
      "--json",
    ],
    environment,
  ).finished();
  const { token } = JSON.parse(key.stdout) as { token: string };
  const post = async (to: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${server.url}/api/v1${to}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as { data: { id: number }; details?: string };
  };
  const { data: company } = await post("/companies", { name: "Other" });
  const { data: invoice } = await post(`/companies/${company.id}/invoices`, { number: "X", total: "1" });
  assert.match(String((await post(`/invoices/${invoice.id}/wms-order`, {})).details), /No warehouse can be reached/);

  // It ends with the server, and is not started for a database that is no longer the demo's alone.
  await end(server);
  await poll("the end of the warehouse", async () => !(await isThere(address)));
  const next = await serveFrom(dataDir);
  assert.doesNotMatch(next.output(), LINE);
  await end(next);
});

test("the demo warehouse is shared by two servers, ends when they are killed, and is there again after a restart", async () => {
  const dataDir = await migratedDataDirectory();
  const [first, second] = await Promise.all([serveFrom(dataDir), serveFrom(dataDir)]);
  const [one, other] = [first, second].map((server) => LINE.exec(server.output())?.[1] ?? "");
  assert.equal(one, other);
  const owner = fs.readFileSync(path.join(dataDir, "demo-warehouse.address"), "utf8");
  assert.equal(owner, `${one}/simulator`);
  for (const server of [first, second]) {
    server.process.kill("SIGKILL");
    await server.ended;
  }
  await poll("the end of the warehouse", async () => !(await isThere(String(one))));
  const again = await serveFrom(dataDir);
  assert.match(again.output(), LINE);
  await end(again);
});

for (const [name, environment, options] of [
  ["with a warehouse of its own", { LIAISON_WMS_URL: "http://{subdomain}.wms.example" }, []],
  ["without a demo", {}, ["--no-demo"]],
  ["without a demo by its setting", { LIAISON_DEMO: "off" }, []],
] as const) {
  test(`an installation ${name} has no demo warehouse`, async () => {
    const server = await serveFrom(await migratedDataDirectory(), { ...environment }, [...options]);
    assert.doesNotMatch(server.output(), LINE);
    if (name !== "with a warehouse of its own") assert.doesNotMatch(server.output(), /Bearer/);
    await end(server);
  });
}
