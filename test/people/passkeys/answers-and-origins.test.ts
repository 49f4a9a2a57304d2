import assert from "node:assert/strict";
import { test } from "node:test";
import { generateTotpSecret } from "../../../src/people/users/totp.ts";
import { PASSWORD, signedIn, visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { assert as assertion, optionsIn } from "./authenticator.ts";
import { addPasskey, memberWithPasskey, ORIGIN, signInBy, stranger } from "./people.ts";

const server = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });

test("a passkey signs in alone: no workspace, no address, no password, no code", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const browser = visitor(server);
  const signed = await signInBy(passkey, browser);
  assert.deepEqual([signed.status, signed.location], [303, "/today"], signed.text);
  assert.match((await browser.get("/profile")).text, new RegExp(member.email));
  const [session] = await server.sql(
    "select signed_in_by from sessions where tenant_id = $1 and signed_in_by is not null",
    [tenant.id],
  );
  assert.equal(session?.signed_in_by, "passkey");
  assert.match((await browser.get("/profile")).text, /by a passkey/);
});

test("each of two people of a workspace comes in by their own passkey", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const colleague = await signedIn(server, tenant);
  const { passkey: another } = await addPasskey(colleague);
  for (const [{ email }, own] of [
    [member, passkey],
    [colleague, another],
  ] as const) {
    const browser = visitor(server);
    assert.equal((await signInBy(own, browser)).status, 303, email);
    assert.match((await browser.get("/profile")).text, new RegExp(email));
  }
});

test("an answer for another origin, another port or another site is refused", async () => {
  const { passkey } = await memberWithPasskey(server);
  const wrong = [
    { origin: "https://crm.example" },
    { origin: "https://crm.example:8444" },
    { origin: "http://crm.example:8443" },
    { origin: "https://other.example:8443" },
    { rpId: "other.example" },
    { challenge: "AAAA" },
  ];
  for (const manner of wrong) {
    const { status, text } = await stranger(server, passkey, manner);
    assert.equal(status, 422, JSON.stringify(manner));
    assert.match(text, /opens no account here/);
  }
  assert.equal((await stranger(server, passkey)).status, 303);
});

test("an answer is good once, for the browser that was asked, and for five minutes", async () => {
  const { tenant, passkey } = await memberWithPasskey(server);
  const browser = visitor(server);
  const asked = optionsIn(await browser.get("/sign-in/passkey"));
  const cookies = new Map(browser.cookies);
  const answer = assertion(asked, passkey, ORIGIN);
  const other = visitor(server);
  await other.get("/sign-in/passkey");
  assert.equal((await other.post("/sign-in/passkey", { answer })).status, 422);
  assert.match((await visitor(server).post("/sign-in/passkey", { answer })).text, /took too long/);
  assert.equal((await browser.post("/sign-in/passkey", { answer })).status, 303);
  const again = visitor(server);
  for (const [name, value] of cookies) again.cookies.set(name, value);
  assert.equal((await again.post("/sign-in/passkey", { answer })).status, 422, "the same answer with the same cookie");
  const [{ count } = {}] = await server.sql(
    "select count(*)::int as count from passkey_challenges where tenant_id = $1 and expires_at < now() + interval '301 s'",
    [tenant.id],
  );
  assert.equal(count, 2, "that of the addition, and that of the sign-in");
});

test("a counter that does not grow is refused, and one that is always zero is not", async () => {
  const { passkey } = await memberWithPasskey(server, { counter: 5 });
  assert.equal((await stranger(server, passkey, { counter: 6 })).status, 303);
  assert.equal((await stranger(server, passkey, { counter: 6 })).status, 422);
  assert.equal((await stranger(server, passkey, { counter: 4 })).status, 422);
  assert.equal((await stranger(server, passkey, { counter: 7 })).status, 303);
  const synced = await memberWithPasskey(server);
  for (const status of [303, 303]) assert.equal((await stranger(server, synced.passkey)).status, status);
});

test("without verification a passkey signs nobody in, and is the second step after the password", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const alone = await stranger(server, passkey, { isVerified: false });
  assert.equal(alone.status, 422);
  assert.match(alone.text, /second step after your password/);
  await server.sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [member.userId]);
  const browser = visitor(server);
  const form = { workspace: tenant.slug, email: member.email, password: PASSWORD };
  assert.equal((await browser.post("/sign-in", form)).location, "/sign-in/code");
  assert.match((await browser.get("/sign-in/code")).text, /href="\/sign-in\/passkey"/);
  const asked = await browser.get("/sign-in/passkey");
  const options = optionsIn(asked) as ReturnType<typeof optionsIn> & { allowCredentials?: { id: string }[] };
  assert.deepEqual(
    options.allowCredentials?.map(({ id }) => id),
    [passkey.id],
  );
  const answer = assertion(options, passkey, ORIGIN, { isVerified: false });
  assert.equal((await browser.post("/sign-in/passkey", { answer })).location, "/today");
  assert.equal((await browser.get("/profile")).status, 200);
});

test("a code is not replaced by the passkey of somebody else", async () => {
  const { tenant, member } = await memberWithPasskey(server);
  const colleague = await signedIn(server, tenant);
  const { passkey } = await addPasskey(colleague);
  await server.sql("update users set totp_secret = $2, totp_confirmed_at = now() where id = $1", [
    member.userId,
    generateTotpSecret(),
  ]);
  const foreign = await memberWithPasskey(server);
  for (const each of [passkey, foreign.passkey]) {
    const browser = visitor(server);
    await browser.post("/sign-in", { workspace: tenant.slug, email: member.email, password: PASSWORD });
    assert.equal((await signInBy(each, browser)).status, 422);
    assert.equal((await browser.get("/profile")).status, 303);
  }
});

test("a key that lists no accounts works where the account is named, in a browser that has signed in before", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const named = { workspace: tenant.slug.toUpperCase(), email: member.email };
  const browser = visitor(server);
  const offered = async () => {
    const asked = optionsIn(await browser.post("/sign-in/passkey/account", named));
    return asked as typeof asked & { allowCredentials: { id: string }[] };
  };
  assert.deepEqual((await offered()).allowCredentials, [], "a stranger learns nothing");
  await browser.post("/sign-in", { ...named, password: PASSWORD });
  await browser.post("/sign-out");
  const asked = await offered();
  assert.equal(asked.allowCredentials[0]?.id, passkey.id);
  const answer = assertion(asked, passkey, ORIGIN, { handle: null });
  assert.equal((await browser.post("/sign-in/passkey", { answer })).location, "/today");
});

test("an empty handle is the same as none", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const named = { workspace: tenant.slug, email: member.email };
  const browser = visitor(server);
  await browser.post("/sign-in", { ...named, password: PASSWORD });
  await browser.post("/sign-out");
  const asked = optionsIn(await browser.post("/sign-in/passkey/account", named));
  const answer = assertion(asked, passkey, ORIGIN, { handle: "" });
  assert.equal((await browser.post("/sign-in/passkey", { answer })).status, 303);
});

test("a passkey with another handle is found in no workspace, and that of another workspace opens none of this one", async () => {
  const { passkey } = await memberWithPasskey(server);
  const foreign = await memberWithPasskey(server);
  assert.equal((await stranger(server, passkey, { handle: foreign.passkey.handle })).status, 422);
  assert.equal((await stranger(server, passkey, { handle: null })).status, 422);
  // A key with the same id, in the workspace of somebody who knows it, signs nobody in elsewhere.
  await server.sql("update passkeys set credential_id = $1 where tenant_id = $2", [passkey.id, foreign.tenant.id]);
  const forged = { ...foreign.passkey, id: passkey.id, handle: passkey.handle };
  assert.equal((await stranger(server, forged)).status, 422);
  assert.equal((await stranger(server, passkey)).status, 303);
});

test("deactivated, suspended, or single sign-on only: a passkey opens as little as a password", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const still = async () => (await stranger(server, passkey)).status;
  const user = [tenant.id, member.userId];
  await server.sql("update users set deactivated_at = now() where tenant_id = $1 and id = $2", user);
  assert.equal(await still(), 422);
  await server.sql("update users set deactivated_at = null where tenant_id = $1 and id = $2", user);
  await server.sql("update tenants set suspended_at = now() where id = $1", [tenant.id]);
  assert.equal(await still(), 422);
  await server.sql("update tenants set suspended_at = null where id = $1", [tenant.id]);
  await server.sql(
    `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret, sso_on, sso_only, sso_break_glass)
     values ($1, 'https://id.example', 'a', 'b', true, true, $2)`,
    user,
  );
  assert.equal(await still(), 422);
  await server.sql(
    "update users set totp_secret = 'x', totp_confirmed_at = now() where tenant_id = $1 and id = $2",
    user,
  );
  assert.equal(await still(), 303, "the break-glass admin");
  const browser = visitor(server);
  await signInBy(passkey, browser);
  await server.sql("update users set session_epoch = session_epoch + 1 where tenant_id = $1 and id = $2", user);
  assert.equal((await browser.get("/profile")).location, "/sign-in?to=%2Fprofile");
});

test("strangers at the door of passkeys wait after fifty wrong answers of their network, and passwords do not", async () => {
  const own = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });
  const { tenant, member, passkey } = await memberWithPasskey(own);
  const statuses = new Set<number>();
  for (let time = 0; time <= 51; time++) statuses.add((await stranger(own, passkey, { challenge: "AAAA" })).status);
  assert.deepEqual([...statuses], [422, 429]);
  const before = await own.sql("select sum(failures) as failures from sign_in_failures");
  for (const answer of ["", "{}", "x".repeat(30_000)]) {
    assert.equal((await visitor(own).post("/sign-in/passkey", { answer })).status, 422);
  }
  assert.deepEqual(await own.sql("select sum(failures) as failures from sign_in_failures"), before);
  const form = { workspace: tenant.slug, email: member.email, password: PASSWORD };
  assert.equal((await visitor(own).post("/sign-in", form)).status, 303);
});

test("where passkeys do not work, the page says why", async () => {
  for (const [address, why] of [
    ["https://192.0.2.1", /address is a number/],
    ["https://[2001:db8::1]", /address is a number/],
    ["http://crm.example", /does not begin with https/],
  ] as const) {
    const there = await startServer({ LIAISON_PUBLIC_URL: address });
    assert.match((await visitor(there).get("/sign-in/passkey")).text, why);
  }
  const unset = await startServer();
  assert.match((await visitor(unset).get("/sign-in/passkey")).text, /address is a number/);
  const at = async (host: string) => (await unset.server.inject({ url: "/sign-in/passkey", headers: { host } })).body;
  assert.match(await at("crm.example"), /LIAISON_PUBLIC_URL is not set/);
  assert.match(await at("localhost:3000"), /data-passkey/);
});

test("a browser that came in before waits behind no stranger", async () => {
  const { passkey } = await memberWithPasskey(server);
  const known = visitor(server);
  assert.equal((await signInBy(passkey, known)).status, 303);
  await known.post("/sign-out");
  const { passwordsOfUsers: places } = server.deps.sharing.places;
  const others = Array.from({ length: places.size }, (_, at) => `another network ${at}`);
  for (const other of others) assert.ok(places.tryAcquire(other));
  const waiting = stranger(server, passkey);
  await poll("the stranger's wait", () => places.waiting === 1);
  assert.equal((await signInBy(passkey, known)).status, 303);
  assert.equal(places.waiting, 1);
  for (const other of others) places.release(other);
  assert.equal((await waiting).status, 303);
});
