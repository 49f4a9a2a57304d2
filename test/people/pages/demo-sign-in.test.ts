import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { createDemo } from "../../../src/operation/demo/create-demo.ts";
import { visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestServer } from "../../harness.ts";
import { later, MINUTE } from "../sessions/clock.ts";

const BUTTON = /action="\/sign-in\/demo"[^]*Sign in to the demo/;
const SAME = { "sec-fetch-site": "same-origin" };
/** As a browser sends a form of a page on this machine. */
const OWN = { ...SAME, origin: "http://localhost:3000" };

async function withDemo(settings: Record<string, string> = {}): Promise<TestServer> {
  const server = await startServer({ LIAISON_DEMO: "on", ...settings });
  await createDemo(server.deps);
  return server;
}

const server = await withDemo();

/** A request with any Host header, which fetch does not send. */
async function ask(
  { url }: Pick<TestServer, "url">,
  method: "GET" | "POST",
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  return await new Promise((resolve, reject) => {
    const request = http.request(new URL(path, url), { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", reject).end();
  });
}

async function assertShut(who: TestServer, headers: Record<string, string>, about: string): Promise<void> {
  const page = await ask(who, "GET", "/sign-in", headers);
  assert.equal(page.status, 200, about);
  assert.doesNotMatch(page.text, BUTTON, about);
  assert.equal((await ask(who, "POST", "/sign-in/demo", { ...OWN, ...headers })).status, 404, about);
}

test("on this machine, the demo is entered by a button", async () => {
  const person = visitor(server);
  assert.match((await person.get("/sign-in")).text, BUTTON);
  assert.match((await ask(server, "GET", "/sign-in", { host: "localhost:3000" })).text, BUTTON);
  assert.match((await ask(server, "GET", "/sign-in", { host: "[::1]" })).text, BUTTON);
  assert.equal((await person.post("/sign-in/demo", {}, OWN)).location, "/today");
  assert.match((await person.get("/today")).text, /Andreea Munteanu/);
  assert.match((await person.get("/sign-in", { "accept-language": "ro" })).location ?? "", /today/);
});

test("a Host that is no loopback name has no such button, and is refused", async () => {
  for (const host of [
    "crm.example",
    "localhost.crm.example",
    "127.0.0.1.crm.example",
    "192.168.1.7:3000",
    "localhost:x",
  ])
    await assertShut(server, { host }, host);
});

test("a request that a proxy forwards has no such button, and is refused", async () => {
  for (const name of ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"])
    await assertShut(server, { [name]: "127.0.0.1" }, name);
});

test("a page that came through a silent proxy is refused: its origin is no loopback name", async () => {
  // As nginx forwards with a bare proxy_pass: the Host of the upstream, and no header of its own.
  for (const origin of [
    "https://crm.example.com",
    "http://localhost.crm.example",
    "http://127.0.0.1@crm.example",
    "null",
  ]) {
    const answer = await ask(server, "POST", "/sign-in/demo", { ...SAME, origin });
    assert.equal(answer.status, 404, origin);
  }
  assert.equal((await ask(server, "POST", "/sign-in/demo", SAME)).status, 404, "no origin");
});

test("a server that listens elsewhere has no such button, and refuses", async () => {
  await assertShut(await withDemo({ HOST: "0.0.0.0" }), {}, "all addresses");
  await assertShut(await withDemo({ LIAISON_PUBLIC_URL: "https://crm.example" }), {}, "a public URL");
});

test("another tenant called demo is not entered, nor a suspended demo or a deactivated admin", async () => {
  const other = await startServer({ LIAISON_DEMO: "on" });
  await other.createTenant({ slug: "demo" });
  await assertShut(other, {}, "no demo");
  const closed = await withDemo();
  await closed.sql("update users set deactivated_at = now() where role = 'admin'");
  await assertShut(closed, {}, "a deactivated admin");
  await closed.sql("update users set deactivated_at = null");
  await closed.sql("update tenants set suspended_at = now()");
  await assertShut(closed, {}, "a suspended tenant");
});

test("another site's page cannot sign in, failed guesses at the account throttle it, and a second factor is asked for", async () => {
  const foreign = await visitor(server).post("/sign-in/demo", {}, { "sec-fetch-site": "cross-site" });
  assert.equal(foreign.status, 403);
  const wrong = { workspace: "demo", email: "andreea.munteanu@demo.example", password: "wrong" };
  for (let i = 0; i < 5; i++) assert.equal((await visitor(server).post("/sign-in", wrong)).status, 422);
  const throttled = await visitor(server).post("/sign-in/demo", {}, OWN);
  assert.equal(throttled.status, 429);
  assert.ok(Number(throttled.headers.get("retry-after")) >= 1);
  later(60 * MINUTE);
  await server.sql("update users set totp_secret = 'x', totp_confirmed_at = now() where role = 'admin'");
  const person = visitor(server);
  assert.equal((await person.post("/sign-in/demo", {}, OWN)).location, "/sign-in/code");
  assert.equal((await person.get("/today")).location, "/sign-in/code?to=%2Ftoday");
});
