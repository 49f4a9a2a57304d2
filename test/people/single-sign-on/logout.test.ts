import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { PASSWORD, visitor, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, request } from "../../harness.ts";
import { throughProvider, userAt, workspaceWith } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

/** As the provider's server sends it: from no page, with no cookie. */
async function send(begin: string, token: string): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ logout_token: token }).toString();
  return (await request(server.url, "POST", `${begin}/logout`, body, { headers })).status;
}

const isIn = async (who: Visitor) => (await who.get("/today")).status === 200;

test("signing out ends the session here", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  await throughProvider(provider, browser, subject, begin);
  const copy = new Map(browser.cookies);
  await browser.post("/sign-out");
  for (const [name, value] of copy) browser.cookies.set(name, value);
  assert.equal(await isIn(browser), false);
});

test("a signed message ends the sessions of its person that began there, once", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const other = await userAt(server, provider, tenant);
  await throughProvider(provider, browser, subject, begin);
  const second = visitor(server);
  await throughProvider(provider, second, subject, begin);
  await throughProvider(provider, other.browser, other.subject, begin);
  const token = await provider.logoutToken({ sub: subject, jti: randomUUID() });
  assert.equal(await send(begin, token), 200);
  assert.deepEqual([await isIn(browser), await isIn(second)], [false, false]);
  assert.deepEqual([await isIn(other.browser), await isIn(admin)], [true, true]);
  await throughProvider(provider, browser, subject, begin);
  assert.equal(await send(begin, token), 400, "the same message again");
  assert.equal(await isIn(browser), true);
});

test("a session that began with a password is not the provider's to end", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider);
  const subject = `admin-${tenant.slug}`;
  const browser = visitor(server);
  await throughProvider(provider, browser, subject, begin);
  const byPassword = visitor(server);
  await byPassword.post("/sign-in", { workspace: tenant.slug, email: admin.email, password: PASSWORD });
  assert.equal(await send(begin, await provider.logoutToken({ sub: subject, jti: randomUUID() })), 200);
  assert.deepEqual([await isIn(browser), await isIn(byPassword)], [false, true]);
});

test("a message that names a session ends that one alone", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const second = visitor(server);
  for (const [who, sid] of [
    [browser, "one"],
    [second, "two"],
  ] as const) {
    provider.alter = (claims) => ({ ...claims, sid });
    await throughProvider(provider, who, subject, begin);
  }
  provider.alter = null;
  assert.equal(await send(begin, await provider.logoutToken({ sub: subject, sid: "one", jti: randomUUID() })), 200);
  assert.deepEqual([await isIn(browser), await isIn(second)], [false, true]);
  assert.equal(await send(begin, await provider.logoutToken({ sid: "two", jti: randomUUID() })), 200);
  assert.equal(await isIn(second), false);
});

test("no other message ends anything", async () => {
  const [one, other] = [await workspaceWith(server, provider), await workspaceWith(server, provider)];
  const { subject, browser } = await userAt(server, provider, one.tenant);
  await throughProvider(provider, browser, subject, one.begin);
  const jti = () => ({ jti: randomUUID() });
  const impostor = await startProvider();
  const good = await provider.logoutToken({ sub: subject, ...jti() });
  const [head = "", , signature = ""] = good.split(".");
  const claims = Buffer.from(JSON.stringify({ sub: subject, ...jti() })).toString("base64url");
  const wrong: [why: string, token: string][] = [
    ["unsigned", `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`],
    ["of another body", `${head}.${claims}.${signature}`],
    ["of another provider", await impostor.logoutToken({ sub: subject, iss: provider.issuer, ...jti() })],
    ["for another client", await provider.logoutToken({ sub: subject, aud: "another", ...jti() })],
    ["of another issuer", await provider.logoutToken({ sub: subject, iss: impostor.issuer, ...jti() })],
    ["with a nonce, as an ID token has one", await provider.logoutToken({ sub: subject, nonce: "n", ...jti() })],
    ["without the event", await provider.logoutToken({ sub: subject, events: {}, ...jti() })],
    ["without an id", await provider.logoutToken({ sub: subject })],
    ["about nobody", await provider.logoutToken({ ...jti() })],
    ["an ID token", "a.b.c"],
    ["nothing", ""],
    ["endless", `${"a".repeat(20_000)}.b.c`],
  ];
  for (const [why, token] of wrong) assert.equal(await send(one.begin, token), 400, why);
  assert.equal(await send("/sign-in/oidc/nobody", good), 400);
  assert.equal(await isIn(browser), true);
  // In another workspace of the same provider and client, the message is good, and ends nothing of this one.
  assert.equal(await send(other.begin, good), 200);
  assert.equal(await isIn(browser), true);
});

test("messages of unknown keys make Liaison read the keys once in a minute", async () => {
  const own = await startProvider();
  const { begin } = await workspaceWith(server, own);
  const impostor = await startProvider();
  const reads = () => own.asked.filter((path) => path === "/jwks").length;
  const before = reads();
  for (let i = 0; i < 20; i++)
    await send(begin, await impostor.logoutToken({ sub: "x", iss: own.issuer, jti: `${i}` }));
  assert.equal(reads() - before, 1);
});
