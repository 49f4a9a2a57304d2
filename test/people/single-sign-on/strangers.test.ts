import assert from "node:assert/strict";
import { test } from "node:test";
import { visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { later, SECOND } from "../sessions/clock.ts";
import { personAt, toCallback, workspaceWith } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

test("a provider that says too many gets one call in ten seconds, and fifty of a network", async () => {
  // A server of its own: the failures count for the network of all tests here.
  const other = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
  const own = await startProvider();
  const { begin } = await workspaceWith(other, own);
  const browser = visitor(other);
  const back = await toCallback(own, browser, personAt(own), begin);
  assert.ok(typeof back === "string");
  const cookie = browser.cookies.get("liaison-provider") ?? "";
  own.instead = (_request, response) => response.writeHead(429).end();
  const before = own.asked.length;
  const knock = async () => {
    browser.cookies.set("liaison-provider", cookie);
    return (await browser.get(back)).status;
  };
  assert.deepEqual(await Promise.all([1, 2, 3].map(knock)).then((all) => new Set(all)), new Set([503]));
  assert.equal(await knock(), 503);
  const first = own.asked.length - before;
  assert.ok(first >= 1 && first <= 3);
  for (let i = 0; i < 60; i++) {
    later(11 * SECOND);
    await knock();
  }
  assert.equal(await knock(), 429);
  // Without the count there were 65. The first waits are shorter than the steps of this clock.
  assert.ok(own.asked.length - before < 60, String(own.asked.length - before));
});

test("a network whose codes are refused fifty times waits, and makes no more calls", async () => {
  const { begin } = await workspaceWith(server, provider);
  const browser = visitor(server);
  const subject = personAt(provider);
  const back = await toCallback(provider, browser, subject, begin);
  assert.ok(typeof back === "string");
  const cookie = browser.cookies.get("liaison-provider") ?? "";
  const wrong = back.replace(/code=[^&]*/, "code=wrong");
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) {
    browser.cookies.set("liaison-provider", cookie);
    statuses.push((await browser.get(wrong)).status);
  }
  assert.deepEqual([statuses.indexOf(429) >= 50, statuses.at(-1)], [true, 429]);
  const before = provider.asked.length;
  browser.cookies.set("liaison-provider", cookie);
  const refused = await browser.get(wrong);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  assert.equal(provider.asked.length, before);
  // Passwords of the network are counted apart.
  assert.equal(
    (await visitor(server).post("/sign-in", { workspace: "x", email: "a@b.ro", password: "x" })).status,
    422,
  );
});
