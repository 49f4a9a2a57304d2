import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import { insertTenant } from "../../../src/people/tenants/tenant-queries.ts";
import { inviteUser, makePasswordLink } from "../../../src/people/users/invitation.ts";
import { findMember } from "../../../src/people/users/member-queries.ts";
import type { TenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { valid } from "../../certificates.ts";
import { createInstallation, HASH_OF_PROGRAM } from "../../cli/installation.ts";
import {
  OPERATOR,
  PASSWORD,
  signedIn,
  visitor,
  type Member,
  type PageAnswer,
  type Visitor,
} from "../../doors/pages/visitor.ts";
import { freePort, serve } from "../../program.ts";
import { assert as assertion, create, optionsIn, type TestPasskey } from "../passkeys/authenticator.ts";
import { ORIGIN } from "../passkeys/people.ts";
import { settingsOf, toCallback } from "../single-sign-on/people.ts";
import { startProvider } from "../single-sign-on/provider.ts";

/** Two processes behind one address, on one database: nothing that begins at one has to end there. */
const installation = await createInstallation();
const authority = path.join(installation.dataDir, "authority.pem");
fs.writeFileSync(authority, valid);
Object.assign(installation.environment, {
  LIAISON_PUBLIC_URL: ORIGIN,
  LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1",
  LIAISON_WORKER: "off",
  NODE_EXTRA_CA_CERTS: authority,
});
const provider = await startProvider();
const one = await serveAtPort();
const other = await serveAtPort();

/** The program says LIAISON_PUBLIC_URL when it is ready, and not where it listens. */
async function serveAtPort(): Promise<{ url: string }> {
  const port = await freePort();
  await serve({ ...installation.environment, PORT: String(port) });
  return { url: `http://127.0.0.1:${port}` };
}

let workspaces = 0;

/** A workspace with a user who is signed in. */
async function workspace(
  role: "admin" | "member" = "member",
): Promise<{ tenant: TenantId; slug: string; member: Member }> {
  const slug = `firm-${++workspaces}`;
  return await installation.prepare(async (deps) => {
    const made = await insertTenant(deps.database, slug, slug, null);
    assert.ok(made !== null);
    const { id: tenant } = made;
    const member = await signedIn({ deps, url: one.url }, { id: tenant, slug }, { role });
    await installation.sql("update users set password_hash = $2 where tenant_id = $1", [tenant, HASH_OF_PROGRAM]);
    return { tenant, slug, member };
  });
}

/** The same browser, at one of the processes. */
function at({ url }: { url: string }, { cookies }: Pick<Visitor, "cookies">): Visitor {
  const same = visitor({ url });
  for (const [name, value] of cookies) same.cookies.set(name, value);
  return same;
}

/** The statuses of one request that a browser sends to both at once, the lower one first. */
async function atBoth(who: Visitor, send: (browser: Visitor) => Promise<PageAnswer>): Promise<number[]> {
  const answers = await Promise.all([one, other].map(async (process) => await send(at(process, who))));
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** Begins at one process and ends at the other. */
async function addPasskeyOverBoth(who: Visitor, own: string): Promise<TestPasskey> {
  const asked = await who.post(own, { name: "Laptop", current: PASSWORD });
  const { passkey, answer } = create(optionsIn(asked), ORIGIN);
  assert.deepEqual(await atBoth(who, async (browser) => await browser.post(`${own}/add`, { answer })), [303, 422]);
  return passkey;
}

const OWN = "/profile/passkeys";
const DOOR = "/sign-in/passkey";

for (const { name, home, begin } of [
  {
    name: "a user's",
    home: "/today",
    begin: async () => (await workspace()).member,
  },
  {
    name: "an operator's",
    home: "/operator/tenants",
    begin: async () => {
      const operator = { email: OPERATOR, name: "Olga Operator", passwordHash: HASH_OF_PROGRAM };
      await installation.prepare(async ({ database }) => await insertOperator(database, operator));
      const browser = visitor(one);
      await browser.post("/sign-in", { workspace: "", email: OPERATOR, password: PASSWORD });
      return browser;
    },
  },
]) {
  test(`${name} challenge of one process is answered at the other, and counts once over both`, async () => {
    const passkey = await addPasskeyOverBoth(await begin(), OWN);
    const browser = visitor(one);
    const asked = optionsIn(await browser.get(DOOR));
    const there = at(other, browser);
    const signed = await there.post(DOOR, { answer: assertion(asked, passkey, ORIGIN) });
    assert.equal(signed.location, home, signed.text);
    assert.equal((await at(one, there).get(home)).status, 200, "the session is one of both");
    const next = visitor(other);
    const answer = assertion(optionsIn(await next.get(DOOR)), passkey, ORIGIN);
    assert.deepEqual(await atBoth(next, async (each) => await each.post(DOOR, { answer })), [303, 422]);
  });
}

test("single sign-on that begins at one process ends at the other, and a sign-out of the provider counts once", async () => {
  const { slug, member: admin } = await workspace("admin");
  provider.register(`${ORIGIN}/sign-in/oidc/${slug}/callback`);
  provider.people.set(slug, { email: admin.email, email_verified: true, name: "Ana Pop" });
  assert.equal((await admin.post("/workspace/sign-in", settingsOf(provider))).status, 303);
  const tried = await toCallback(provider, admin, slug, "/workspace/sign-in/try");
  assert.ok(typeof tried === "string", "the trial gets as far as the callback");
  assert.equal((await at(other, admin).get(tried)).status, 200);
  await admin.post("/workspace/sign-in/on");

  const browser = visitor(one);
  const back = await toCallback(provider, browser, slug, `/sign-in/oidc/${slug}`);
  assert.ok(typeof back === "string");
  const there = at(other, browser);
  const signed = await there.get(back);
  assert.equal(signed.location, "/today", signed.text);
  const isIn = async () => (await at(one, there).get("/today")).status === 200;
  assert.ok(await isIn());
  assert.equal((await browser.get(back)).status, 403, "the code is used up");

  const token = await provider.logoutToken({ sub: slug, jti: randomUUID() });
  const sent = await atBoth(
    visitor(one),
    async (each) => await each.post(`/sign-in/oidc/${slug}/logout`, { logout_token: token }),
  );
  assert.deepEqual(sent, [200, 400]);
  assert.equal(await isIn(), false);
});

test("the link of an invitation, and one for a new password, work once over both", async () => {
  const { tenant, member: admin } = await workspace("admin");
  const tokens = await installation.prepare(async (deps) => {
    const by = String(admin.userId);
    const invited = await inviteUser(deps, tenant, by, { email: "ion@example.com" });
    const user = await findMember(tenant, deps.database, by);
    assert.ok(invited.outcome === "invited" && user !== null);
    const link = await makePasswordLink(deps, tenant, by, user, { name: "Ana", language: "en" });
    assert.ok(link.outcome === "invited");
    return [invited.token, link.token];
  });
  for (const token of tokens) {
    const form = { name: "Ion Marin", password: "violet harbour 91" };
    const [first, second] = await atBoth(visitor(one), async (each) => await each.post(`/invitations/${token}`, form));
    assert.equal(first, 303);
    assert.ok(Number(second) >= 400, String(second));
  }
});

test("wrong answers at both processes are counted together", async () => {
  const { member } = await workspace();
  const passkey = await addPasskeyOverBoth(member, "/profile/passkeys");
  const wrong = async (process: { url: string }) => {
    const browser = visitor(process);
    const answer = assertion(optionsIn(await browser.get("/sign-in/passkey")), passkey, ORIGIN, { challenge: "AAAA" });
    return (await browser.post("/sign-in/passkey", { answer })).status;
  };
  const statuses = new Set<number>();
  for (let time = 0; time <= 26; time++) for (const process of [one, other]) statuses.add(await wrong(process));
  assert.deepEqual([...statuses], [422, 429]);
});
