import assert from "node:assert/strict";
import { test } from "node:test";
import { setPassword } from "../../../src/people/users/sign-in-queries.ts";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import { PASSWORD, PASSWORD_HASH, visitor, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { linkIn } from "./mail-server.ts";
import { startMailing, type Mailing } from "./mailing-server.ts";

const server = await startMailing({ LIAISON_TRUSTED_PROXIES: "127.0.0.1" });
const { mail } = server;
const sql: Mailing["sql"] = async (...all) => await server.sql(...all);
server.startWorker();
const tenant = await server.createTenant({ slug: "acme" });
const NEW = "Violet-harbour-91";
let people = 0;

async function person(): Promise<{ id: number; email: string }> {
  const email = `person-${++people}@example.com`;
  const user = await insertUser(tenant.id, server.deps.database, {
    email,
    name: "Ana",
    role: "member",
    passwordHash: PASSWORD_HASH,
  });
  return { id: Number(user?.id), email };
}

let networks = 0;

/** From a network of its own: strangers are counted by network. */
const ask = async (email: string, workspace = "acme", language = "en"): Promise<PageAnswer> => {
  const network = `10.${++networks >> 8}.${networks & 255}.1`;
  const headers = { "sec-fetch-site": "same-origin", "accept-language": language, "x-forwarded-for": network };
  return await visitor(server).post("/sign-in/forgotten", { workspace, email }, headers);
};

const pathOf = (text: string) => new URL(linkIn(text, "/invitations/")).pathname;

test("the page and its link are there only where mail is configured", async () => {
  const { text } = await visitor(server).get("/sign-in");
  assert.match(text, /<a href="\/sign-in\/forgotten">Forgot the password\?<\/a>/);
  assert.equal((await visitor(server).get("/sign-in/forgotten")).status, 200);
  const without = await startServer();
  const page = await visitor(without).get("/sign-in");
  assert.doesNotMatch(page.text, /forgotten/);
  assert.match(page.text, /Ask an admin of your workspace/);
  assert.equal((await visitor(without).get("/sign-in/forgotten")).status, 404);
  assert.equal((await visitor(without).post("/sign-in/forgotten", { workspace: "acme" })).status, 404);
});

test("the link works once, for 30 minutes, ends earlier links, and a second factor is still asked for", async () => {
  const { id, email } = await person();
  await sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [id]);
  await ask(email.toUpperCase(), "Acme");
  const [first] = await mail.until(email);
  assert.equal(first?.subject, "A new password for Tenant acme");
  await server.untilIdle();
  await ask(email);
  const [, second] = await mail.until(email, 2);
  assert.ok(first && second);
  assert.equal((await visitor(server).get(pathOf(first.text))).status, 404, "a newer link ends it");
  const path = pathOf(second.text);
  const [{ minutes } = {}] = await sql(
    "select extract(epoch from expires_at - now()) / 60 as minutes from invitations where for_user = $1",
    [id],
  );
  assert.ok(Number(minutes) > 29 && Number(minutes) <= 30, String(minutes));
  const chosen = await visitor(server).post(path, { password: NEW });
  assert.equal(chosen.location, "/sign-in/code");
  assert.equal((await visitor(server).get(path)).status, 404);
  await server.untilIdle();
  await ask(email);
  const [, , third] = await mail.until(email, 3);
  await sql("update invitations set expires_at = now() where for_user = $1 and accepted_at is null", [id]);
  assert.equal((await visitor(server).get(pathOf(third?.text ?? ""))).status, 404);
});

test("a fourth link of an hour waits, and is sent when the hour is over", async () => {
  const { email } = await person();
  for (let count = 1; count <= 3; count++) {
    await ask(email);
    await mail.until(email, count);
    await server.untilIdle();
  }
  await ask(email);
  await server.untilIdle();
  assert.equal((await mail.until(email)).length, 3);
  const waiting = await sql(
    "select m.state, j.run_at > now() + interval '50 minutes' as is_later from mails m join jobs j on j.subject = m.id where m.email = $1",
    [email],
  );
  assert.deepEqual(waiting, [{ state: "waiting", is_later: true }]);
  await sql("update mails set attempted_at = attempted_at - interval '1 hour'");
  await server.hasten();
  await mail.until(email, 4);
});

for (const [how, change] of [
  [
    "by its user",
    async ({ email }: { email: string }) => {
      const browser = visitor(server);
      await browser.post("/sign-in", { workspace: "acme", email, password: PASSWORD });
      const { location } = await browser.post("/profile/password", { current: PASSWORD, password: NEW });
      assert.equal(location, "/profile");
    },
  ],
  [
    "by an earlier link",
    async ({ email }: { email: string }) => {
      const [first] = await mail.until(email);
      const { location } = await visitor(server).post(pathOf(first?.text ?? ""), { password: NEW });
      assert.equal(location, "/today");
    },
  ],
  [
    "by a command",
    async ({ id }: { id: number }) =>
      await setPassword(tenant.id, server.deps.database, String(id), await server.deps.passwords.hash(NEW)),
  ],
] as const) {
  test(`a mail that waited while the password was changed ${how} makes no link`, async () => {
    server.startWorker();
    const someone = await person();
    const { id, email } = someone;
    await ask(email);
    await mail.until(email);
    await server.untilIdle();
    await sql(
      `insert into mails (tenant_id, kind, state, user_id, attempted_at, ended_at)
      select $1, 'password-link', 'sent', $2, now(), now() from generate_series(1, 2)`,
      [tenant.id, id],
    );
    await ask(email.toUpperCase());
    await server.untilIdle();
    const waiting = async () => await sql("select from mails where user_id = $1 and state = 'waiting'", [id]);
    assert.equal((await waiting()).length, 1);
    await change(someone);
    await sql("update mails set attempted_at = attempted_at - interval '1 hour'");
    await server.hasten();
    await server.untilIdle();
    const links = (await mail.until(email)).filter(({ subject }) => subject === "A new password for Tenant acme");
    assert.deepEqual([(await waiting()).length, links.length], [0, 1]);
    const open = await sql(
      "select from invitations where for_user = $1 and accepted_at is null and revoked_at is null",
      [id],
    );
    assert.equal(open.length, 0);
  });
}

test("deactivated people and suspended workspaces get no link", async () => {
  const { id, email } = await person();
  await sql("update users set deactivated_at = now() where id = $1", [id]);
  await ask(email);
  await server.untilIdle();
  assert.deepEqual(await sql("select from mails where email = $1", [email]), []);
  const other = await person();
  await sql("update tenants set suspended_at = now() where slug = 'acme'");
  const { status } = await ask(other.email);
  assert.equal(status, 200);
  assert.deepEqual(await sql("select from mails where email = $1", [other.email]), []);
  await sql("update tenants set suspended_at = null where slug = 'acme'");
  assert.equal(mail.received.filter(({ to }) => [email, other.email].includes(String(to))).length, 0);
});

test("the mail is in the language of its user, or of the page", async () => {
  const [romanian, unset] = [await person(), await person()];
  await sql("update users set language = 'ro' where id = $1", [romanian.id]);
  await ask(romanian.email);
  assert.equal((await mail.until(romanian.email))[0]?.subject, "O parolă nouă pentru Tenant acme");
  await ask(unset.email, "acme", "ro");
  assert.equal((await mail.until(unset.email))[0]?.subject, "O parolă nouă pentru Tenant acme");
});

test("addresses that nobody can have are answered alike, and nothing is stored", async () => {
  for (const email of ["", "nobody", "a@b\r\nBcc: c@example.com", `${"a".repeat(300)}@example.com`, "a@b\0"]) {
    assert.equal((await ask(email)).status, 200, JSON.stringify(email));
  }
  assert.deepEqual(await sql("select from mails where email ~ '[[:cntrl:] ]' or length(email) > 255"), []);
});

test("many requests for links from one network wait, and its sign-ins do not", async () => {
  const stranger = visitor(server);
  const all = Array.from({ length: 60 }, async (_, index) =>
    stranger.post("/sign-in/forgotten", { workspace: "acme", email: `x${index}@example.com` }),
  );
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 50);
  assert.equal(statuses.filter((status) => status === 429).length, 10);
  const refused = await stranger.post("/sign-in/forgotten", { workspace: "acme", email: "y@example.com" });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  const wrong = await stranger.post("/sign-in", { workspace: "acme", email: "y@example.com", password: "wrong" });
  assert.equal(wrong.status, 422);
});
