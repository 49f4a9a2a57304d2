import assert from "node:assert/strict";
import { test } from "node:test";
import { endSession, findSession } from "../../../src/people/sessions/session.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { createPasswords } from "../../../src/platform/passwords/password-hash.ts";
import { CHEAP, startServer } from "../../harness.ts";
import { HOUR, later, MINUTE } from "./clock.ts";
import { createPerson } from "./people.ts";

const server = await startServer();
const { database } = server.deps;
test("a sign-in is a session that knows its user and its workspace", async () => {
  const tenant = await server.createTenant({ country: "Moldova" });
  const person = await createPerson(server, tenant, { role: "admin" });
  const token = await person.token({ workspace: ` ${tenant.slug} `, email: ` ${person.email.toUpperCase()} ` });
  const session = await findSession(database, token);
  assert.deepEqual(session, {
    id: session?.id,
    tenant: tenant.id,
    workspace: {
      slug: tenant.slug,
      name: `Tenant ${tenant.slug}`,
      country: "Moldova",
      timeZone: "Europe/Bucharest",
    },
    user: {
      id: person.id,
      name: "Ana Ionescu",
      email: person.email,
      role: "admin",
      mayExport: true,
      language: null,
      theme: "system",
    },
    awaitsCode: false,
  });
});

test("only the hash of a token is stored, and no two sign-ins have the same", async () => {
  const person = await createPerson(server, await server.createTenant());
  const tokens = [await person.token(), await person.token()];
  assert.notEqual(tokens[0], tokens[1]);
  const rows = JSON.stringify(await server.sql("select s::text from sessions s"));
  for (const token of tokens) {
    assert.equal(Buffer.from(token, "base64url").length, 32);
    assert.equal(rows.includes(token), false);
    assert.equal(rows.includes(Buffer.from(token, "base64url").toString("hex")), false);
  }
});

test("a text that is no session's token finds no session", async () => {
  for (const token of ["", "x", "A".repeat(43), "A".repeat(44), `${"A".repeat(42)}\0`]) {
    assert.equal(await findSession(database, token), null, token);
  }
});

test("a wrong password, user or workspace is one outcome", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const stranger = await createPerson(server, await server.createTenant());
  for (const attempt of [
    { password: "Violet-harbour-92" },
    { password: "" },
    { email: stranger.email },
    { email: "nobody@example.com" },
    { email: "" },
    { email: "a\0b" },
    { workspace: "nobody" },
    { workspace: "" },
    { workspace: "a\0b" },
  ]) {
    assert.deepEqual(await person.signIn(attempt), { outcome: "wrong" }, JSON.stringify(attempt));
  }
});

test("a session ends by signing out", async () => {
  const person = await createPerson(server, await server.createTenant());
  const [token, other] = [await person.token(), await person.token()];
  const session = await findSession(database, token);
  assert.ok(session !== null);
  await endSession(database, session);
  assert.equal(await findSession(database, token), null);
  assert.ok((await findSession(database, other)) !== null);
});

test("a session ends when nothing was done for 12 hours", async () => {
  const token = await (await createPerson(server, await server.createTenant())).token();
  later(12 * HOUR - 2 * MINUTE);
  assert.ok((await findSession(database, token)) !== null);
  later(12 * HOUR - 2 * MINUTE);
  assert.ok((await findSession(database, token)) !== null);
  later(12 * HOUR + MINUTE);
  assert.equal(await findSession(database, token), null);
});

test("a session's use keeps no other session of its person from ending", async () => {
  const person = await createPerson(server, await server.createTenant());
  const [used, unused] = [await person.token(), await person.token()];
  later(8 * HOUR);
  assert.ok((await findSession(database, used)) !== null);
  later(8 * HOUR);
  assert.ok((await findSession(database, used)) !== null);
  assert.equal(await findSession(database, unused), null);
});

test("a session ends after 14 days, whatever was done", async () => {
  const token = await (await createPerson(server, await server.createTenant())).token();
  for (let hours = 11; hours < 14 * 24; hours += 11) {
    later(11 * HOUR);
    assert.ok((await findSession(database, token)) !== null, `after ${hours} hours`);
  }
  later(6 * HOUR);
  assert.equal(await findSession(database, token), null);
});

test("a session's use is written once a minute", async () => {
  const token = await (await createPerson(server, await server.createTenant())).token();
  const versions = async () =>
    await server.sql("select xmin::text, last_seen_at from sessions order by tenant_id desc limit 1");
  const before = await versions();
  for (let i = 0; i < 3; i++) await findSession(database, token);
  assert.deepEqual(await versions(), before);
  later(MINUTE + 1);
  await findSession(database, token);
  const after = await versions();
  assert.notDeepEqual(after, before);
  await findSession(database, token);
  assert.deepEqual(await versions(), after);
});

test("a suspension ends the sessions at once, and they stay ended when it is over", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const token = await person.token();
  await setSuspended(database, tenant.slug, true);
  assert.equal(await findSession(database, token), null);
  assert.deepEqual(await person.signIn(), { outcome: "wrong" });
  await setSuspended(database, tenant.slug, false);
  assert.equal(await findSession(database, token), null);
  assert.ok((await findSession(database, await person.token())) !== null);
});

test("expired sessions are removed when somebody signs in: after 12 hours without use, or 14 days", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const count = async () => (await server.sql("select id from sessions where tenant_id = $1", [tenant.id])).length;
  later(0);
  await person.token();
  later(12 * HOUR - 1);
  await person.token();
  assert.equal(await count(), 2);
  later(1);
  const used = await person.token();
  assert.equal(await count(), 2, "the first one is gone");
  for (let hours = 8; hours < 14 * 24; hours += 8) {
    later(8 * HOUR);
    assert.ok((await findSession(database, used)) !== null);
  }
  later(8 * HOUR - 1);
  assert.ok((await findSession(database, used)) !== null);
  await person.token();
  assert.equal(await count(), 2);
  later(1);
  assert.equal(await findSession(database, used), null);
  await person.token();
  assert.equal(await count(), 2, "the one in use is gone");
});

test("a hash of parameters that no release has used is nobody's password, whatever it would cost to compute", async () => {
  const person = await createPerson(server, await server.createTenant());
  const small = "$argon2id$v=19$m=128,t=1,p=1$oQPjLKQJAa88BI8aBFeKwg$lPgPWH5Qi5gWFi5M4aweOIoSPFhyhATRxlpWAUZ1JPQ";
  for (const hash of [
    small,
    small.replace("m=128,t=1", "m=999999999,t=9999"),
    small.replace("oQPj", "A".repeat(5_000)),
  ]) {
    await server.sql("update users set password_hash = $2 where id = $1", [person.id, hash]);
    assert.deepEqual(await person.signIn(), { outcome: "wrong" }, hash);
  }
});

test("a hash that was made with other parameters is replaced by a sign-in", async () => {
  const person = await createPerson(server, await server.createTenant());
  const stored = async () =>
    String((await server.sql("select password_hash from users where id = $1", [person.id]))[0]?.password_hash);
  const outdated = await stored();
  assert.deepEqual(await person.signIn({ password: "wrong" }), { outcome: "wrong" });
  assert.equal(await stored(), outdated);
  server.deps.passwords = createPasswords([{ memoryKib: 65_536, passes: 3, parallelism: 4 }, CHEAP]);
  await person.token();
  assert.match(await stored(), /^\$argon2id\$v=19\$m=65536,t=3,p=4\$/);
  await person.token();
});
