import assert from "node:assert/strict";
import { test } from "node:test";
import { visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { later, SECOND } from "../sessions/clock.ts";
import { personAt, throughProvider, toCallback, userAt, workspaceWith } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

/** Milliseconds of a processor for a request, ours and the test's together. */
async function costOf(requests: number, send: (index: number) => Promise<Response>): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const sendOn = async () => {
    while (next < requests) await (await send(next++)).text();
  };
  await Promise.all(Array.from({ length: 20 }, sendOn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / requests;
}

test("thousands of requests of strangers at the doors call no provider, and cost little", async (t) => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const get = async (path: string, cookie = "") =>
    await fetch(`${server.url}${path}`, { redirect: "manual", headers: { accept: "text/html", cookie } });
  const post = async (token: string) =>
    await fetch(`${server.url}${begin}/logout`, { method: "POST", body: new URLSearchParams({ logout_token: token }) });
  const before = provider.asked.length;
  const doors: [name: string, requests: number, send: (index: number) => Promise<Response>][] = [
    ["the sign-in page, as a yardstick", 250, async () => await get("/sign-in")],
    ["the begin", 750, async () => await get(begin)],
    ["the begin of no workspace", 500, async (index) => await get(`/sign-in/oidc/nobody-${index}`)],
    ["a callback without a begin", 750, async (index) => await get(`${begin}/callback?code=${index}&state=s`)],
    [
      "a callback with a forged cookie",
      1_000,
      async (i) => await get(`${begin}/callback?code=a`, `liaison-provider=k1:${i}AAAA`),
    ],
    ["a sign-out of no token", 250, async (index) => await post(`a.b.${index}`)],
  ];
  for (const [name, requests, send] of doors) {
    const milliseconds = await costOf(requests, send);
    t.diagnostic(`${name}: ${milliseconds.toFixed(2)} ms of a processor each`);
    assert.ok(milliseconds < 25, `${name}: ${milliseconds} ms`);
  }
  assert.equal(provider.asked.length, before);
  // They are no failures of the network: sign-ins are not delayed.
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
});

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
