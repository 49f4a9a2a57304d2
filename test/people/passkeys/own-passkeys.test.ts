import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { PASSWORD, signedIn, visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { create, optionsIn } from "./authenticator.ts";
import { addPasskey, memberWithPasskey, ORIGIN, stranger } from "./people.ts";

const server = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });

const removal = (text: string) => {
  const [, path] = /href="(\/profile\/passkeys\/\d+\/remove)"/.exec(text) ?? [];
  assert.ok(path, text);
  return path;
};

test("a server that is known by a number offers no passkey, and says why", async () => {
  const numbered = await startServer({ LIAISON_PUBLIC_URL: "https://192.0.2.1" });
  const member = await signedIn(numbered, await numbered.createTenant());
  for (const page of [await member.get("/profile"), await visitor(numbered).get("/sign-in")]) {
    assert.match(page.text, /Passkeys do not work here, .*address is a number/);
    assert.doesNotMatch(page.text, /href="\/(?:profile\/passkeys|sign-in\/passkey)"/);
  }
});

test("a passkey is added by its name and the present password, is listed, and is removed after a question", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server, {}, "admin");
  const list = (await member.get("/profile")).text;
  assert.match(list, /Laptop/);
  assert.match(list, />Never</);
  assert.equal((await stranger(server, passkey)).status, 303);
  assert.doesNotMatch((await member.get("/profile")).text, />Never</);
  const path = removal(list);
  assert.match((await member.get(path)).text, /Remove the passkey “Laptop”\?/);
  const other = await signedIn(server, tenant);
  assert.equal((await other.post(path)).status, 404, "nobody else's");
  assert.equal((await member.post(path)).location, "/profile");
  assert.equal((await stranger(server, passkey)).status, 422);
  const changes = await server.sql(
    `select changed, changed_by from changes where tenant_id = $1 and type = 'user' and resource_id = $2 and changed::jsonb ? 'passkey' order by id`,
    [tenant.id, member.userId],
  );
  assert.deepEqual(changes, [
    { changed: JSON.stringify({ passkey: { from: null, to: "Laptop" } }), changed_by: `user:${member.userId}` },
    { changed: JSON.stringify({ passkey: { from: "Laptop", to: null } }), changed_by: `user:${member.userId}` },
  ]);
  const told = changeLines((await member.get("/history?type=user")).text).filter((line) => line.includes("passkey"));
  assert.deepEqual(told, [
    "Ana Pop changed the user Ana Pop: passkey removed (Laptop)",
    "Ana Pop changed the user Ana Pop: passkey: Laptop",
  ]);
});

test("a passkey's name has 1 to 100 characters", async () => {
  const member = await signedIn(server, await server.createTenant());
  for (const [length, status] of [
    [0, 422],
    [1, 200],
    [100, 200],
    [101, 422],
  ] as const) {
    const asked = await member.post("/profile/passkeys", { name: "x".repeat(length), current: PASSWORD });
    assert.equal(asked.status, status, `${length} characters`);
  }
});

test("without the present password no browser is asked, and guesses are throttled", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const statuses: number[] = [];
  for (let time = 0; time <= 5; time++) {
    const { status, text } = await member.post("/profile/passkeys", { name: "Laptop", current: `wrong ${time}` });
    assert.doesNotMatch(text, /data-passkey/);
    statuses.push(status);
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [422, 429]);
  assert.equal(
    (await signedIn(server, tenant).then((other) => other.post("/profile/passkeys/add", { answer: "" }))).status,
    422,
  );
});

test("somebody without a password needs a session of the last quarter of an hour", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const user = [tenant.id, member.userId];
  await server.sql("update users set password_hash = null where tenant_id = $1 and id = $2", user);
  const { passkey, added } = await addPasskey(member);
  assert.equal(added.location, "/profile", added.text);
  await server.sql(
    "update sessions set created_at = now() - interval '15 min 1 s' where tenant_id = $1 and user_id = $2",
    user,
  );
  const refused = await member.post("/profile/passkeys", { name: "Key", current: "" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /sign in again first/);
  // It is the only way to sign in.
  const path = removal((await member.get("/profile")).text);
  await member.post(path);
  assert.match((await member.get("/profile")).text, /only way to sign in/);
  assert.equal((await stranger(server, passkey)).status, 303);
  await server.sql(
    `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret, sso_on)
     values ($1, 'https://id.example', 'a', 'b', true)`,
    [tenant.id],
  );
  await member.post(path);
  assert.equal((await stranger(server, passkey)).status, 422);
});

test("an answer for another origin, for another session or a second time adds nothing", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const manner of [{ origin: "https://crm.example" }, { rpId: "other.example" }, { challenge: "AA" }]) {
    assert.equal((await addPasskey(member, manner)).added.status, 422, JSON.stringify(manner));
  }
  const asked = await member.post("/profile/passkeys", { name: "Laptop", current: PASSWORD });
  const cookies = new Map(member.cookies);
  const { answer } = create(optionsIn(asked), ORIGIN);
  const other = await signedIn(server, tenant);
  const session = other.cookies.get("__Host-liaison") ?? "";
  for (const [name, value] of cookies) other.cookies.set(name, value);
  other.cookies.set("__Host-liaison", session);
  assert.match((await other.post("/profile/passkeys/add", { answer })).text, /took too long/);
  assert.equal((await member.post("/profile/passkeys/add", { answer })).location, "/profile");
  await member.post(removal((await member.get("/profile")).text));
  for (const [name, value] of cookies) member.cookies.set(name, value);
  assert.equal((await member.post("/profile/passkeys/add", { answer })).status, 422, "removed, it does not come back");
  assert.equal((await server.sql("select from passkeys where tenant_id = $1", [tenant.id])).length, 0);
});

test("a key without verification is added only where there is a second factor for it to stand for", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const weak = await addPasskey(member, { isVerified: false });
  assert.equal(weak.added.status, 422);
  assert.match(weak.added.text, /Set up the second factor first/);
  await server.sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [member.userId]);
  assert.equal((await addPasskey(member, { isVerified: false }, "Key")).added.location, "/profile");
  assert.match((await member.get("/profile")).text, /second step only/);
});

test("without JavaScript the pages say that passkeys need it, and an empty answer signs nobody in", async () => {
  const browser = visitor(server);
  assert.match((await browser.get("/sign-in/passkey")).text, /<noscript><p class="error">Passkeys need JavaScript/);
  assert.equal((await browser.post("/sign-in/passkey", { answer: "" })).status, 422);
});

test("an admin removes a passkey of somebody who lost the device, whose sessions end; members and other workspaces cannot", async () => {
  const { tenant, member, passkey } = await memberWithPasskey(server);
  const admin = await signedIn(server, tenant, { role: "admin", name: "Ion Marin" });
  const user = `/users/${member.userId}`;
  assert.match((await admin.get(user)).text, new RegExp(`<a href="${user}/passkeys">1 passkey</a>`));
  const { text } = await admin.get(`${user}/passkeys`);
  assert.match(text, /Passkeys of Ana Pop/);
  const [, path = ""] = new RegExp(`href="(${user}/passkeys/\\d+/remove)"`).exec(text) ?? [];
  assert.match((await admin.get(path)).text, /Remove the passkey “Laptop” of Ana Pop\?[^]*1 session will end/);
  const foreign = await signedIn(server, await server.createTenant(), { role: "admin" });
  assert.deepEqual([(await member.post(path)).status, (await foreign.post(path)).status], [403, 404]);
  assert.equal((await stranger(server, passkey)).status, 303);
  assert.equal((await admin.post(path.replace(user, `/users/${admin.userId}`))).location, "/profile#passkeys");

  // It is the only way to sign in.
  const owner = [tenant.id, member.userId];
  await server.sql("update users set password_hash = null where tenant_id = $1 and id = $2", owner);
  await admin.post(path);
  assert.match((await admin.get(user)).text, /only way to sign in/);
  assert.equal((await stranger(server, passkey)).status, 303);
  await server.sql("update users set password_hash = 'x' where tenant_id = $1 and id = $2", owner);

  assert.equal((await admin.post(path)).location, user);
  assert.match((await admin.get(user)).text, /all sessions of this person have ended/);
  assert.equal((await stranger(server, passkey)).status, 422);
  assert.equal((await member.get("/profile")).location, "/sign-in?to=%2Fprofile");
  const told = changeLines((await admin.get("/history?type=user")).text).find((line) => line.includes("passkey"));
  assert.equal(told, "Ion Marin changed the user Ana Pop: passkey removed (Laptop)");
});

test("an attestation that nobody asked for is ignored, whatever its format and statement", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const fmt of ["packed", "tpm", "fido-u2f", "apple", "other"]) {
    const { added, passkey } = await addPasskey(member, { fmt }, `Key ${fmt}`);
    assert.equal(added.location, "/profile", added.text);
    assert.equal((await stranger(server, passkey)).location, "/today");
  }
});
