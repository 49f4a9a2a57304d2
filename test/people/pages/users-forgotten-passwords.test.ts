import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { withSecondFactor } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn, visitor, type Member, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { whileHeld } from "../../held.ts";
import { later, MINUTE } from "../sessions/clock.ts";

const server = await startServer();
const NEW = "violet harbour 91";

async function workspace(): Promise<{ tenant: TestTenant; admin: Member; member: Member }> {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
  return { tenant, admin, member: await signedIn(server, tenant, { name: "Ion Marin" }) };
}

/** The path of a new link for a user's password. */
async function linkFor(admin: Visitor, user: number): Promise<string> {
  const { status, text } = await admin.post(`/users/${user}/password-link`);
  assert.equal(status, 200, text);
  const [, path = ""] = /<pre id="link" tabindex="0">[^<]*(\/invitations\/[\w-]{43})<\/pre>/.exec(text) ?? [];
  assert.notEqual(path, "", text);
  return path;
}

async function signsIn(tenant: TestTenant, { email }: Member, password: string): Promise<boolean> {
  const answer = await visitor(server).post("/sign-in", { workspace: tenant.slug, email, password });
  return answer.status === 303;
}

test("a member chooses a new password by an admin's link, once, and is in; every other session ends", async () => {
  const { tenant, admin, member } = await workspace();
  const path = await linkFor(admin, member.userId);
  assert.equal(await signsIn(tenant, member, PASSWORD), true, "the old password works until the link is used");
  assert.equal((await admin.get("/users")).text.includes(path), false, "the link is shown once");
  assert.match((await admin.get("/users")).text, /New password<\/td>/);

  const browser = visitor(server);
  const form = await browser.get(path);
  assert.match(form.text, /<h1>Choose a new password<\/h1>/);
  assert.doesNotMatch(form.text, /name="name"/);
  const short = await browser.post(path, { password: "short" });
  assert.deepEqual([short.status, /at least 12 characters/.test(short.text)], [422, true]);
  const answer = await browser.post(path, { password: NEW });
  assert.deepEqual([answer.status, answer.location], [303, "/today"]);
  assert.match((await browser.get("/today")).text, /Your new password is saved\./);
  assert.equal((await member.get("/companies")).location, "/sign-in?to=%2Fcompanies");
  assert.deepEqual([await signsIn(tenant, member, NEW), await signsIn(tenant, member, PASSWORD)], [true, false]);
  assert.equal((await visitor(server).post(path, { password: "another good one" })).status, 404);
  assert.equal(await signsIn(tenant, member, NEW), true);

  assert.deepEqual(changeLines((await browser.get("/history?type=invitation")).text), [
    "Ion Marin chose a new password by a link",
    `Ana Pop created a link for a new password of ${member.email}`,
  ]);
});

test("a link ends after 30 minutes, by a newer one, by a deactivation, and with the rights of its maker", async () => {
  const { tenant, admin, member } = await workspace();
  const second = await signedIn(server, tenant, { role: "admin", name: "Vlad" });
  const replaced = await linkFor(admin, member.userId);
  const links = { replaced, byFormerAdmin: await linkFor(second, member.userId) };
  await admin.post(`/users/${second.userId}`, { role: "member" });
  assert.match((await admin.get(`/users/${second.userId}`)).text, /Vlad/);
  const ofDeactivated = await linkFor(admin, second.userId);
  await admin.post(`/users/${second.userId}/deactivate`);
  for (const path of [links.replaced, links.byFormerAdmin, ofDeactivated]) {
    assert.equal((await visitor(server).get(path)).status, 404);
    assert.equal((await visitor(server).post(path, { password: NEW })).status, 404);
  }
  const late = await linkFor(admin, member.userId);
  later(29 * MINUTE);
  assert.equal((await visitor(server).get(late)).status, 200);
  later(31 * MINUTE);
  assert.equal((await visitor(server).post(late, { password: NEW })).status, 404);
  assert.equal(await signsIn(tenant, member, NEW), false);
});

test("a link ends when its user changes the password in another way, and the links of others go on", async () => {
  const { tenant, admin, member } = await workspace();
  const neighbour = await signedIn(server, tenant);
  const links = [await linkFor(admin, member.userId), await linkFor(admin, neighbour.userId)];
  const changed = await member.post("/profile/password", { current: PASSWORD, password: NEW });
  assert.deepEqual([changed.status, changed.location], [303, "/profile"]);
  const statuses = await Promise.all(links.map(async (path) => (await visitor(server).get(path)).status));
  assert.deepEqual(statuses, [404, 200]);
  const [latest] = changeLines((await admin.get("/history?type=invitation")).text);
  assert.equal(latest, `Ion Marin changed the invitation of ${member.email}: revoked from No to Yes`);
});

test("a link that is made while its user's address changes opens nothing", async () => {
  const { admin, member } = await workspace();
  const change = `update users set email = 'new-' || email where id in (${admin.userId}, ${member.userId})`;
  const path = await whileHeld(server, change, async () => await linkFor(admin, member.userId));
  assert.equal((await visitor(server).get(path)).status, 404);
  assert.equal((await visitor(server).post(path, { password: NEW })).status, 404);
});

test("a second factor is still asked for behind the new password", async () => {
  const { tenant, admin } = await workspace();
  const { userId } = await withSecondFactor(server, tenant);
  const browser = visitor(server);
  const answer = await browser.post(await linkFor(admin, userId), { password: NEW });
  assert.equal(answer.location, "/sign-in/code");
  assert.equal((await browser.get("/today")).status, 303);
});

test("only admins make such links, for others of their workspace, and revoke them", async () => {
  const { tenant, admin, member } = await workspace();
  assert.equal((await member.post(`/users/${admin.userId}/password-link`)).status, 403);
  assert.equal((await admin.post(`/users/${admin.userId}/password-link`)).location, "/profile");
  const foreign = await workspace();
  assert.equal((await foreign.admin.post(`/users/${member.userId}/password-link`)).status, 404);
  const path = await linkFor(admin, member.userId);
  const [row] = await server.sql("select id from invitations where tenant_id = $1 and for_user = $2", [
    tenant.id,
    member.userId,
  ]);
  await admin.post(`/users/invitations/${String(row?.id)}/revoke`);
  assert.equal((await visitor(server).get(path)).status, 404);
});
