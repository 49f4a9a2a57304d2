import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { throughProvider, userAt, workspaceWith } from "./people.ts";
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
