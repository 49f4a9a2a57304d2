import assert from "node:assert/strict";
import { test } from "node:test";
import { findSession } from "../../../src/people/sessions/session.ts";
import { updateWorkspace } from "../../../src/people/tenants/change-workspace.ts";
import { deactivateUser, findMember, listMembers, reactivateUser } from "../../../src/people/users/member-queries.ts";
import { updateProfile, updateRole } from "../../../src/people/users/write-user.ts";
import { startServer } from "../../harness.ts";
import { createPerson } from "../sessions/people.ts";

const server = await startServer();
const { deps } = server;
const { database } = deps;
const WRITTEN = { outcome: "written", invitationsEnded: 0 };

test("a deactivation ends the sessions at once, and they stay ended when it is over", async () => {
  const tenant = await server.createTenant();
  const admin = await createPerson(server, tenant, { role: "admin" });
  const member = await createPerson(server, tenant);
  const [token, admins] = [await member.token(), await admin.token()];
  assert.deepEqual(await deactivateUser(tenant.id, database, member.id, "command"), WRITTEN);
  assert.equal(await findSession(database, token), null);
  assert.deepEqual(await member.signIn(), { outcome: "wrong" });
  assert.deepEqual(await reactivateUser(tenant.id, database, member.id, "command"), WRITTEN);
  assert.equal(await findSession(database, token), null);
  await member.token();
  assert.ok((await findSession(database, admins)) !== null);
});

test("the last active admin stays one, also where two take the role from each other", async () => {
  const tenant = await server.createTenant();
  const [one, other] = [
    await createPerson(server, tenant, { role: "admin" }),
    await createPerson(server, tenant, { role: "admin" }),
  ];
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.all([
      updateRole(deps, tenant.id, one.id, { role: "member" }, "command"),
      deactivateUser(tenant.id, database, other.id, "command"),
    ]);
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ["last-admin", "written"]);
    await reactivateUser(tenant.id, database, other.id, "command");
    await updateRole(deps, tenant.id, one.id, { role: "admin" }, "command");
  }
  await updateRole(deps, tenant.id, other.id, { role: "member" }, "command");
  for (const outcome of [
    await updateRole(deps, tenant.id, one.id, { role: "member" }, "command"),
    await deactivateUser(tenant.id, database, one.id, "command"),
  ]) {
    assert.deepEqual(outcome, { outcome: "last-admin" });
  }
  assert.deepEqual(await updateRole(deps, tenant.id, one.id, { role: "admin" }, "command"), WRITTEN);
  assert.deepEqual(await deactivateUser(tenant.id, database, other.id, "command"), WRITTEN);
});

test("a role takes effect on the sessions that there are, and is one of two", async () => {
  const tenant = await server.createTenant();
  await createPerson(server, tenant, { role: "admin" });
  const member = await createPerson(server, tenant);
  const token = await member.token();
  assert.deepEqual(await updateRole(deps, tenant.id, member.id, { role: "admin" }, "command"), WRITTEN);
  assert.equal((await findSession(database, token))?.user.role, "admin");
  for (const [role, code] of [
    ["boss", "notSelectable"],
    [null, "required"],
  ]) {
    const refused = await updateRole(deps, tenant.id, member.id, { role }, "command");
    assert.deepEqual(refused, { outcome: "invalid", messages: { role: [{ code }] } });
  }
});

test("another tenant's users are missing, and stay as they are", async () => {
  const tenant = await server.createTenant();
  await createPerson(server, tenant, { role: "admin" });
  const stranger = await createPerson(server, await server.createTenant());
  assert.deepEqual(await updateRole(deps, tenant.id, stranger.id, { role: "admin" }, "command"), {
    outcome: "missing",
  });
  assert.deepEqual(await deactivateUser(tenant.id, database, stranger.id, "command"), { outcome: "missing" });
  assert.deepEqual(await reactivateUser(tenant.id, database, stranger.id, "command"), { outcome: "missing" });
  assert.equal(await findMember(tenant.id, database, stranger.id), null);
  await stranger.token();
});

test("users are listed by page, the active ones first", async () => {
  const tenant = await server.createTenant();
  const people = [
    await createPerson(server, tenant, { role: "admin" }),
    await createPerson(server, tenant),
    await createPerson(server, tenant),
  ];
  for (const [index, name] of ["Zoe", "ana", "Bob"].entries()) {
    await updateProfile(deps, tenant.id, String(people[index]?.id), { name });
  }
  await deactivateUser(tenant.id, database, String(people[1]?.id), "command");
  await people[2]?.token();
  const { rows: members, total } = await listMembers(tenant.id, database, { page: 1, perPage: 2, offset: 0 });
  assert.equal(total, 3);
  assert.deepEqual(
    members.map(({ name, role, deactivatedAt, lastSeenAt }) => [name, role, deactivatedAt, lastSeenAt !== null]),
    [
      ["Bob", "member", null, true],
      ["Zoe", "admin", null, false],
    ],
  );
  const [last] = (await listMembers(tenant.id, database, { page: 2, perPage: 2, offset: 2 })).rows;
  assert.equal(last?.name, "ana");
  assert.ok(last.deactivatedAt !== null);
});

test("one's name, language and theme are changed each for itself", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const token = await person.token();
  const state = async () => {
    const { name, language, theme } = (await findSession(database, token))?.user ?? {};
    return { name, language, theme };
  };
  assert.deepEqual(await updateProfile(deps, tenant.id, person.id, { language: "ro" }), { outcome: "written" });
  assert.deepEqual(await state(), { name: "Ana Ionescu", language: "ro", theme: "system" });
  await updateProfile(deps, tenant.id, person.id, { name: " Ana Pop ", theme: "dark" });
  assert.deepEqual(await state(), { name: "Ana Pop", language: "ro", theme: "dark" });
  await updateProfile(deps, tenant.id, person.id, { language: "" });
  assert.deepEqual(await state(), { name: "Ana Pop", language: null, theme: "dark" });
  assert.deepEqual(await updateProfile(deps, tenant.id, person.id, { name: "", language: "de", theme: "" }), {
    outcome: "invalid",
    messages: {
      name: [{ code: "required" }],
      language: [{ code: "notSelectable" }],
      theme: [{ code: "notSelectable" }],
    },
  });
});

test("a workspace's name, country and time zone are changed, for the API too", async () => {
  const tenant = await server.createTenant();
  const token = await (await createPerson(server, tenant)).token();
  await tenant.post("/api/v1/companies", { name: "Before" });
  const change = { name: "Acme SRL", country: "Moldova", time_zone: "Europe/Chisinau" };
  assert.deepEqual(await updateWorkspace(deps, tenant.id, change, "command"), { outcome: "written" });
  const { name, country, timeZone } = (await findSession(database, token))?.workspace ?? {};
  assert.deepEqual({ name, country, time_zone: timeZone }, change);
  await updateWorkspace(deps, tenant.id, { time_zone: "UTC" }, "command");
  assert.equal((await findSession(database, token))?.workspace.name, "Acme SRL");
  const fresh = await tenant.createKey();
  const created = await tenant.post("/api/v1/companies", { name: "After" }, { token: fresh.token });
  assert.equal(created.body.data.country, "Moldova");
  assert.deepEqual(
    await updateWorkspace(deps, tenant.id, { name: " ", country: "", time_zone: "Mars/Olympus" }, "command"),
    {
      outcome: "invalid",
      messages: {
        name: [{ code: "required" }],
        country: [{ code: "required" }],
        time_zone: [{ code: "notSelectable" }],
      },
    },
  );
});
