import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, visitor, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { HOUR, later, SECOND } from "../sessions/clock.ts";
import { personAt, throughProvider, toCallback, userAt, workspaceOff, workspaceWith } from "./people.ts";
import { SECRET, startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

/** The sentence of a page that refuses. */
const sentence = ({ text }: PageAnswer) => /<section class="message"><h1>[^<]*<\/h1>\s*<p>([^<]*)/.exec(text)?.[1];

test("a person whose address is verified comes in, is linked, and stays linked under another address", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { id, subject, email, browser } = await userAt(server, provider, tenant);
  const answer = await throughProvider(provider, browser, subject, `${begin}?to=/companies`);
  assert.deepEqual([answer.status, answer.location], [303, "/companies"], answer.text);
  assert.match((await browser.get("/profile")).text, /by single sign-on/);
  provider.people.set(subject, { email: "other@example.com", email_verified: false });
  assert.equal((await throughProvider(provider, visitor(server), subject, begin)).location, "/today");
  const links = await server.sql(
    `select l.user_id::int as id, u.email from single_sign_on_links l
     join users u on u.tenant_id = l.tenant_id and u.id = l.user_id where l.tenant_id = $1`,
    [tenant.id],
  );
  assert.deepEqual(links, [{ id, email }], "an address that changes at the provider changes nothing here");
});

test("a provider may return the address at its userinfo endpoint only", async () => {
  const elsewhere = await startProvider({ idToken: false });
  const { tenant, begin } = await workspaceWith(server, elsewhere);
  const { subject, browser } = await userAt(server, elsewhere, tenant);
  assert.equal((await throughProvider(elsewhere, browser, subject, begin)).location, "/today");
});

test("a provider may say only at its userinfo endpoint that the token's address is verified", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  for (const written of [(email: string) => email, (email: string) => email.toUpperCase()]) {
    provider.alter = ({ email_verified: _verified, email, ...claims }) => ({
      ...claims,
      email: written(String(email)),
    });
    assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
    await server.sql("delete from single_sign_on_links where tenant_id = $1", [tenant.id]);
  }
  // Of another address, it says nothing about the token's.
  const other = await userAt(server, provider, tenant);
  provider.alter = ({ email_verified: _verified, ...claims }) => ({ ...claims, email: admin(tenant) });
  assert.equal((await throughProvider(provider, other.browser, other.subject, begin)).status, 403);
  provider.alter = null;
});

const admin = ({ slug }: { slug: string }) => `boss@${slug}.example`;

test("a secret reaches providers that do not decode the header, and those that read it from the form only", async () => {
  const { begin, tenant } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  provider.knowsClient = (header) => Buffer.from(header.slice(6), "base64").toString() === `liaison:${SECRET}`;
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
  provider.knowsClient = null;

  const byForm = await startProvider({ method: "client_secret_post" });
  const other = await workspaceWith(server, byForm);
  const user = await userAt(server, byForm, other.tenant);
  byForm.asked.length = 0;
  assert.equal((await throughProvider(byForm, user.browser, user.subject, other.begin)).location, "/today");
  assert.equal(byForm.asked.filter((path) => path === "/token").length, 1, "the way that worked is the first one");
});

test("the public address is normalized once: the provider sees one redirect URI, and so does the admin", async () => {
  for (const [address, normal] of [
    ["https://CRM.Example.com:443/", "https://crm.example.com"],
    ["https://crm.brașov.example", "https://crm.xn--braov-h9b.example"],
    ["HTTPS://crm.example.com:8443/Liaison//", "https://crm.example.com:8443/Liaison"],
  ] as const) {
    const here = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1", LIAISON_PUBLIC_URL: address });
    const { tenant, admin: boss } = await workspaceOff(here, provider);
    const uri = `${normal}/sign-in/oidc/${tenant.slug}/callback`;
    assert.ok((await boss.get("/workspace/sign-in")).text.includes(`>${uri}<`), address);
    provider.register(uri);
    provider.people.set("boss", { email: boss.email, email_verified: true });
    const begun = await boss.get("/workspace/sign-in/try");
    assert.equal(new URL(begun.location ?? "").searchParams.get("redirect_uri"), uri);
    if (normal.endsWith("/Liaison")) continue;
    assert.equal((await throughProvider(provider, boss, "boss", "/workspace/sign-in/try")).status, 200, address);
  }
});

test("the begin asks for PKCE, a state and a nonce of this browser, and its cookie reveals nothing", async () => {
  const { begin } = await workspaceWith(server, provider);
  const [one, other] = [visitor(server), visitor(server)];
  const [first, second] = [await one.get(begin), await other.get(begin)].map(({ location }) => new URL(location ?? ""));
  assert.equal(first?.searchParams.get("code_challenge_method"), "S256");
  for (const name of ["state", "nonce", "code_challenge"]) {
    const value: string = first?.searchParams.get(name) ?? "";
    assert.ok(value.length >= 43, name);
    assert.notEqual(value, second?.searchParams.get(name));
    assert.ok(!(one.cookies.get("liaison-provider") ?? "").includes(value));
  }
});

test("a sign-in ends in the browser that began it: not in another, not twice, and not by the provider's own begin", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const back = await toCallback(provider, browser, subject, begin);
  assert.ok(typeof back === "string");
  const stranger = visitor(server);
  const before = provider.asked.length;
  const stolen = await stranger.get(back);
  assert.equal(stolen.status, 403);
  assert.match(sentence(stolen) ?? "", /did not begin in this browser/);
  // A browser that has begun another one.
  await stranger.get(begin);
  assert.equal((await stranger.get(back)).status, 403);
  const unasked = await browser.get(`${begin}/callback?code=abc&state=of-the-provider`);
  assert.match(sentence(unasked) ?? "", /cannot begin at the provider/);
  assert.equal(provider.asked.length, before, "none of them reached the provider");
  const sealed = browser.cookies.get("liaison-provider") ?? "";
  assert.equal((await browser.get(back)).location, "/today");
  assert.equal(browser.cookies.has("liaison-provider"), false);
  const again = visitor(server);
  again.cookies.set("liaison-provider", sealed);
  const replayed = await again.get(back);
  assert.equal(replayed.status, 403);
  assert.match(sentence(replayed) ?? "", /used before or is too old/);
  assert.equal(again.cookies.has("liaison"), false);
});

test("a finished sign-in does not sign in again, though the provider takes its code twice", async () => {
  const own = await startProvider();
  const { tenant, begin } = await workspaceWith(server, own);
  const { subject, browser } = await userAt(server, own, tenant);
  const back = await toCallback(own, browser, subject, begin);
  assert.ok(typeof back === "string");
  const sealed = browser.cookies.get("liaison-provider") ?? "";
  let claims: Record<string, unknown> = {};
  own.alter = (sent) => (claims = sent);
  assert.equal((await browser.get(back)).location, "/today");
  const token = await own.logoutToken({ ...claims, at_hash: undefined }, "JWT");
  own.instead = (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ access_token: "a", token_type: "Bearer", id_token: token }));
  };
  const again = visitor(server);
  again.cookies.set("liaison-provider", sealed);
  const replayed = await again.get(back);
  assert.equal(replayed.status, 403);
  assert.match(sentence(replayed) ?? "", /did not begin in this browser|used before/);
  assert.equal(own.asked.at(-1), "/token");
  assert.equal(again.cookies.has("liaison"), false);
});

test("a sign-in of one workspace cannot end in another, though both have the same provider", async () => {
  const [one, other] = [await workspaceWith(server, provider), await workspaceWith(server, provider)];
  const { subject, email, browser } = await userAt(server, provider, one.tenant);
  await server.sql("insert into users (tenant_id, email, name, role) values ($1, $2, 'Ion Marin', 'member')", [
    other.tenant.id,
    email,
  ]);
  const back = await toCallback(provider, browser, subject, one.begin);
  assert.ok(typeof back === "string");
  const before = provider.asked.length;
  assert.equal((await browser.get(back.replace(one.tenant.slug, other.tenant.slug))).status, 403);
  assert.equal(provider.asked.length, before);
  assert.equal((await throughProvider(provider, browser, subject, other.begin)).location, "/today");
  assert.match((await browser.get("/profile")).text, new RegExp(`title="Tenant ${other.tenant.slug}"`));
  const second = visitor(server);
  assert.equal((await throughProvider(provider, second, subject, one.begin)).location, "/today");
  assert.match((await second.get("/profile")).text, new RegExp(`title="Tenant ${one.tenant.slug}"`));
});

const seconds = () => Math.floor(Date.now() / 1_000);
const wrongTokens: [name: string, alter: (claims: Record<string, unknown>) => Record<string, unknown>][] = [
  ["of another nonce", (claims) => ({ ...claims, nonce: "another" })],
  ["without a nonce", (claims) => ({ ...claims, nonce: undefined })],
  ["that expired 61 seconds ago", (claims) => ({ ...claims, exp: seconds() - 61 })],
  ["for another client", (claims) => ({ ...claims, aud: "another" })],
  ["that another client asked for", (claims) => ({ ...claims, azp: "another" })],
  ["of another access token", (claims) => ({ ...claims, at_hash: "77QmUPtjPfzWtF2AnpK9RQ" })],
  ["of another issuer", (claims) => ({ ...claims, iss: "https://sud.localhost" })],
  ["from the future", (claims) => ({ ...claims, nbf: seconds() + 90 })],
  ["without a subject", (claims) => ({ ...claims, sub: undefined })],
];

for (const [name, alter] of wrongTokens) {
  test(`a token ${name} lets nobody in`, async () => {
    const { tenant, begin } = await workspaceWith(server, provider);
    const { subject, browser } = await userAt(server, provider, tenant);
    provider.alter = alter;
    try {
      const answer = await throughProvider(provider, browser, subject, begin);
      assert.equal(answer.status, 403);
      assert.match(sentence(answer) ?? "", /not valid for this sign-in/);
      assert.equal(browser.cookies.has("liaison"), false);
    } finally {
      provider.alter = null;
    }
  });
}

test("clocks may differ by a minute", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  provider.alter = (claims) => ({ ...claims, exp: seconds() - 50, iat: seconds() - 100 });
  const answer = await throughProvider(provider, browser, subject, begin);
  provider.alter = null;
  assert.equal(answer.location, "/today", answer.text);
});

test("null and an empty text stand for what a provider leaves out", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  provider.alter = (claims) => ({ ...claims, at_hash: null, azp: null, sid: null });
  for (const nothing of [null, ""]) {
    provider.beside = { expires_in: nothing, refresh_token: nothing, scope: nothing };
    assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
  }
  Object.assign(provider, { alter: null, beside: {} });
});

test("rotated keys are read again at once, and a token of a key that is not published lets nobody in", async () => {
  const own = await startProvider();
  const { tenant, begin } = await workspaceWith(server, own);
  const { subject, browser } = await userAt(server, own, tenant);
  assert.equal((await throughProvider(own, browser, subject, begin)).location, "/today");
  const reads = () => own.asked.filter((path) => path === "/jwks").length;
  assert.equal(reads(), 1, "the keys are kept between sign-ins");
  await own.rotate();
  assert.equal((await throughProvider(own, visitor(server), subject, begin)).location, "/today");
  assert.equal(reads(), 2);
  own.signsWithUnpublished = true;
  const answer = await throughProvider(own, visitor(server), subject, begin);
  assert.match(sentence(answer) ?? "", /not valid for this sign-in/);
  assert.equal(reads(), 3);
});

test("a provider that is down is asked once in ten seconds, and works again afterwards", async () => {
  const own = await startProvider();
  const { tenant, begin } = await workspaceOff(server, own);
  await server.sql("update single_sign_on set sso_on = true where tenant_id = $1", [tenant.id]);
  own.instead = (_request, response) => response.writeHead(500).end();
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await visitor(server).get(begin)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
  assert.match(sentence(answers[0] as PageAnswer) ?? "", /does not answer/);
  assert.deepEqual(own.asked, ["/.well-known/openid-configuration"]);
  own.instead = null;
  assert.equal((await visitor(server).get(begin)).status, 503, "not asked again yet");
  later(11 * SECOND);
  assert.equal((await visitor(server).get(begin)).status, 303);
  // Its document is kept for an hour, and an old one is better than none.
  own.instead = (_request, response) => response.writeHead(500).end();
  later(2 * HOUR);
  assert.equal((await visitor(server).get(begin)).status, 303);
  assert.equal(own.asked.length, 3);
});

test("a provider that is down in the middle of a sign-in is said to be, and nothing is counted", async () => {
  const own = await startProvider();
  const { tenant, begin } = await workspaceWith(server, own);
  const { subject, browser } = await userAt(server, own, tenant);
  const failures = async () =>
    Number((await server.sql("select coalesce(sum(failures), 0) as n from sign_in_failures"))[0]?.n);
  const before = await failures();
  for (const instead of [
    (_request: unknown, response: { destroy(): void }) => response.destroy(),
    (_request: unknown, response: { end(body: string): void }) => response.end("x".repeat(70_000)),
  ]) {
    const back = await toCallback(own, browser, subject, begin);
    assert.ok(typeof back === "string");
    own.instead = instead;
    const answer = await browser.get(back);
    own.instead = null;
    assert.equal(answer.status, 503);
    assert.match(sentence(answer) ?? "", /Try again in a few minutes/);
    const calls = own.asked.length;
    assert.equal((await throughProvider(own, visitor(server), subject, begin)).status, 503);
    assert.equal(
      own.asked.filter((path) => path === "/token").length,
      own.asked.slice(0, calls).filter((path) => path === "/token").length,
    );
    later(11 * SECOND);
  }
  assert.equal(await failures(), before);
});

test("an admin whose provider claims to be another one keeps nobody of that one out", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const hostile = await startProvider();
  hostile.instead = ({ url = "" }, response) => {
    if (!url.includes("/.well-known/")) return void response.writeHead(500).end();
    const [authorization_endpoint, token_endpoint] = [`${hostile.issuer}/auth`, `${hostile.issuer}/token`];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ issuer: provider.issuer, authorization_endpoint, token_endpoint }));
  };
  const { admin, ...other } = await workspaceOff(server, { ...hostile, issuer: `${hostile.issuer}/.well-known/x` });
  const { location } = await admin.get("/workspace/sign-in/try");
  const state = new URL(location ?? "", server.url).searchParams.get("state");
  await admin.get(`${other.begin}/callback?code=1&state=${state}`);
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
});

test("a provider that accepts and never answers fails a sign-in, after others that began later have ended", async () => {
  const own = await startProvider();
  const { tenant, begin } = await workspaceWith(server, own);
  const { subject, browser } = await userAt(server, own, tenant);
  const back = await toCallback(own, browser, subject, begin);
  assert.ok(typeof back === "string");
  own.instead = () => {};
  let hasFailed = false;
  const slow = browser.get(back).finally(() => (hasFailed = true));
  // Others are not behind it: a password, and the provider of another workspace.
  const elsewhere = await workspaceWith(server, provider);
  const other = await userAt(server, provider, elsewhere.tenant);
  assert.equal((await throughProvider(provider, other.browser, other.subject, elsewhere.begin)).location, "/today");
  assert.equal(hasFailed, false);
  assert.equal((await slow).status, 503);
});

test("a person whom the provider does not let in reads so", async () => {
  const { begin } = await workspaceWith(server, provider);
  const browser = visitor(server);
  const { location } = await browser.get(begin);
  const state = new URL(location ?? "").searchParams.get("state") ?? "";
  const iss = encodeURIComponent(provider.issuer);
  const answer = await browser.get(
    `${begin}/callback?error=access_denied&error_description=x&state=${state}&iss=${iss}`,
  );
  assert.match(sentence(answer) ?? "", /did not let you in/);
});

test("another issuer in the answer is refused before it is sent a code", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const back = await toCallback(provider, browser, subject, begin);
  assert.ok(typeof back === "string");
  const before = provider.asked.length;
  const mixed = back.replace(encodeURIComponent(provider.issuer), encodeURIComponent("https://evil.example"));
  assert.notEqual(mixed, back);
  assert.equal((await browser.get(mixed)).status, 403);
  assert.equal(provider.asked.length, before);
});

test("a wrong secret is the admin's to mend", async () => {
  const { tenant, begin, admin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  const { issuer } = provider;
  await admin.post("/workspace/sign-in", { issuer, client_id: "liaison", secret: "another-secret-of-nobody" });
  const answer = await throughProvider(provider, browser, subject, begin);
  assert.match(sentence(answer) ?? "", /has to check the client ID and the client secret/);
});

test("an issuer of another name, without https, or in a private network is refused", async () => {
  const { tenant, admin } = await workspaceOff(server, provider);
  const typed = { client_id: "liaison", secret: "secret-of-the-client-1234" };
  for (const issuer of ["http://nord.localhost/", "http://127.0.0.1", "https://nord.localhost/?a=b", "nord"]) {
    assert.equal((await admin.post("/workspace/sign-in", { issuer, ...typed })).status, 422, issuer);
  }
  for (const document of ["/.well-known/openid-configuration", "/.well-known/others", "/.well-known\\others"]) {
    await admin.post("/workspace/sign-in", { issuer: `${provider.issuer}${document}`, ...typed });
    const { text } = await admin.get("/workspace/sign-in");
    assert.ok(text.includes(`value="${provider.issuer}"`), `the library would trust ${document} to name any issuer`);
  }
  const trial = async (issuer: string) => {
    await admin.post("/workspace/sign-in", { issuer, ...typed });
    return sentence(await admin.get("/workspace/sign-in/try"));
  };
  assert.match((await trial("https://10.1.2.3/")) ?? "", /private network.*LIAISON_OIDC_PRIVATE_NETWORKS/);
  assert.match((await trial(`${provider.issuer}/realm`)) ?? "", /has to check the issuer/);
  const open = await startServer();
  const closed = await workspaceOff(open, provider);
  assert.match(
    sentence(await closed.admin.get("/workspace/sign-in/try")) ?? "",
    /LIAISON_OIDC_PRIVATE_NETWORKS/,
    "loopback is private",
  );
  assert.ok(tenant);
});

test("the admin's own trial comes first, and only as the admin", async () => {
  const { tenant, admin, begin } = await workspaceOff(server, provider);
  assert.equal((await visitor(server).get(begin)).status, 404);
  assert.equal((await admin.post("/workspace/sign-in/on")).status, 303);
  assert.match((await admin.get("/workspace/sign-in")).text, /Nothing was changed: try it with success first/);
  const somebody = await throughProvider(provider, admin, personAt(provider), "/workspace/sign-in/try");
  assert.match(sentence(somebody) ?? "", /as another person/);
  const own = personAt(provider, { email: admin.email.toUpperCase() });
  const back = await toCallback(provider, admin, own, "/workspace/sign-in/try");
  assert.ok(typeof back === "string");
  const thief = await signedIn(server, tenant, { role: "admin" });
  thief.cookies.set("liaison-provider", admin.cookies.get("liaison-provider") ?? "");
  assert.equal((await thief.get(back)).status, 403, "another admin's session");
  assert.match((await admin.get(back)).text, /<h1>It works<\/h1>/);
  await admin.post("/workspace/sign-in/on");
  assert.match((await admin.get("/workspace/sign-in")).text, /class="state good">On</);
  // Another secret has to be tried again, and while it is on, the provider stays.
  await admin.post("/workspace/sign-in", { issuer: provider.issuer, client_id: "liaison", secret: "a".repeat(20) });
  assert.match((await admin.get("/workspace/sign-in")).text, /Not tried with these settings yet/);
  const moved = await admin.post("/workspace/sign-in", { issuer: "https://sud.localhost", client_id: "liaison" });
  assert.equal(moved.status, 422);
  assert.match(moved.text, /Switch it off first/);
});

test("a suspended workspace has no door, and a person of it keeps no session", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const { subject, browser } = await userAt(server, provider, tenant);
  await throughProvider(provider, browser, subject, begin);
  const back = await toCallback(provider, browser, subject, begin);
  assert.ok(typeof back === "string");
  await server.sql("update tenants set suspended_at = now(), session_epoch = session_epoch + 1 where id = $1", [
    tenant.id,
  ]);
  assert.equal((await browser.get(back)).status, 404);
  assert.equal((await browser.get("/today")).status, 303);
  assert.equal((await visitor(server).get(begin)).status, 404);
});
