import assert from "node:assert/strict";
import { test } from "node:test";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import {
  acceptInvitation,
  findInvitation,
  inviteUser,
  listInvitations,
  revokeInvitation,
} from "../../../src/people/users/invitation.ts";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { HOUR, later } from "../sessions/clock.ts";
import { createPerson, type Person } from "../sessions/people.ts";

const server = await startServer();
const { deps } = server;
const { database } = deps;
const DAY = 24 * HOUR;
const accepting = { name: "Ion Pop", password: "Orchard-lantern-17" };

async function createAdmin(slug?: string): Promise<{ tenant: TestTenant; admin: Person }> {
  const tenant = await server.createTenant(slug === undefined ? {} : { slug });
  return { tenant, admin: await createPerson(server, tenant, { role: "admin" }) };
}

async function invite({ tenant, admin }: { tenant: TestTenant; admin: Person }, input: Record<string, unknown>) {
  const invited = await inviteUser(deps, tenant.id, admin.id, input);
  assert.ok(invited.outcome === "invited", invited.outcome);
  return invited;
}

test("an invited person gives name and password, and is in", async () => {
  const { tenant, admin } = await createAdmin();
  const { token } = await invite({ tenant, admin }, { email: " ion@example.com ", role: "admin" });
  assert.deepEqual(await findInvitation(database, token), {
    workspace: tenant.slug,
    workspaceName: `Tenant ${tenant.slug}`,
    email: "ion@example.com",
    role: "admin",
    userName: null,
    isByProvider: false,
  });
  assert.deepEqual(await acceptInvitation(deps, token, accepting), {
    outcome: "accepted",
    workspace: tenant.slug,
    email: "ion@example.com",
  });
  assert.equal((await admin.signIn({ email: "ion@example.com", password: accepting.password })).outcome, "signed-in");
  assert.deepEqual(await listInvitations(tenant.id, database), []);
});

test("an invitation makes one user, however many accept it at once", async () => {
  const both = await createAdmin();
  const { token } = await invite(both, { email: "ion@example.com" });
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => (await acceptInvitation(deps, token, accepting)).outcome),
  );
  assert.deepEqual(outcomes.toSorted(), ["accepted", "gone", "gone"]);
  assert.equal(await findInvitation(database, token), null);
});

test("only the hash of a link's token is stored", async () => {
  const { token } = await invite(await createAdmin(), { email: "ion@example.com" });
  const stored = JSON.stringify(await server.sql("select i::text from invitations i"));
  assert.equal(Buffer.from(token, "base64url").length, 32);
  assert.equal(stored.includes(token) || stored.includes(Buffer.from(token, "base64url").toString("hex")), false);
});

test("what is wrong about the name and the password is told, and uses nothing up", async () => {
  const both = await createAdmin("orchard-foods");
  const { token } = await invite(both, { email: "ion@example.com" });
  assert.deepEqual(await acceptInvitation(deps, token, { name: " ", password: "short" }), {
    outcome: "invalid",
    messages: {
      name: [{ code: "required" }],
      password: [{ code: "tooShort", bound: 12 }],
    },
  });
  for (const password of ["ion@example.com", "Orchard-Foods7"]) {
    const refused = await acceptInvitation(deps, token, { name: "Ion", password });
    const messages = { password: [{ code: "passwordOfOwner" }] };
    assert.deepEqual(refused, { outcome: "invalid", messages });
  }
  assert.equal((await acceptInvitation(deps, token, accepting)).outcome, "accepted");
});

test("an invitation ends after seven days, by being revoked, replaced, or with its workspace", async () => {
  const both = await createAdmin();
  const { tenant } = both;
  const gone = async (token: string, why: string) => {
    assert.equal(await findInvitation(database, token), null, why);
    assert.deepEqual(await acceptInvitation(deps, token, accepting), { outcome: "gone" }, why);
  };
  const revoked = await invite(both, { email: "a@example.com" });
  const replaced = await invite(both, { email: "b@example.com", role: "admin" });
  const again = await invite(both, { email: "B@example.com" });
  const expired = await invite(both, { email: "c@example.com" });
  assert.equal(await revokeInvitation(tenant.id, database, revoked.id, "command"), true);
  assert.equal(await revokeInvitation(tenant.id, database, revoked.id, "command"), false);
  await gone(revoked.token, "revoked");
  await gone(replaced.token, "replaced");
  assert.equal((await findInvitation(database, again.token))?.role, "member");
  for (const token of ["", "x", "A".repeat(43)]) await gone(token, token);

  await setSuspended(database, tenant.slug, true);
  await gone(again.token, "suspended");
  await setSuspended(database, tenant.slug, false);
  later(7 * DAY - HOUR);
  assert.ok((await findInvitation(database, again.token)) !== null);
  later(HOUR);
  await gone(expired.token, "expired");
  assert.deepEqual(
    (await listInvitations(tenant.id, database)).map(({ email, invitedBy, isExpired }) => [
      email,
      invitedBy,
      isExpired,
    ]),
    [
      ["c@example.com", "Ana Ionescu", true],
      ["B@example.com", "Ana Ionescu", true],
    ],
  );
  const renewed = await invite(both, { email: "c@example.com" });
  assert.ok((await findInvitation(database, renewed.token)) !== null);
});

test("an address that has a user is not invited, and not made one again", async () => {
  const { tenant, admin } = await createAdmin();
  assert.deepEqual(await inviteUser(deps, tenant.id, admin.id, { email: admin.email.toUpperCase() }), {
    outcome: "taken",
  });
  const { token } = await invite({ tenant, admin }, { email: "ion@example.com" });
  await insertUser(tenant.id, database, { email: "Ion@example.com", name: "Ion", role: "member", passwordHash: "" });
  assert.deepEqual(await acceptInvitation(deps, token, accepting), { outcome: "taken" });
  const other = await createAdmin();
  await invite(other, { email: admin.email });
});

test("an invitation has an address and a role, and is its tenant's", async () => {
  const { tenant, admin } = await createAdmin();
  assert.deepEqual(await inviteUser(deps, tenant.id, admin.id, { email: "nobody", role: "boss" }), {
    outcome: "invalid",
    messages: {
      email: [{ code: "notEmail" }],
      role: [{ code: "notSelectable" }],
    },
  });
  const foreign = await invite(await createAdmin(), { email: "ion@example.com" });
  for (const id of [foreign.id, "0", "x"])
    assert.equal(await revokeInvitation(tenant.id, database, id, "command"), false, id);
  assert.ok((await findInvitation(database, foreign.token)) !== null);
});
