import assert from "node:assert/strict";
import { test } from "node:test";
import { resetFactor } from "../../../src/people/users/second-factor-queries.ts";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { codeOf } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn, visitor, type Member, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { whileHeld } from "../../held.ts";
import { personAt, throughProvider, userAt, workspaceWith, type Workspace } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

/** Sets a second factor up. Returns the secret. */
async function withFactor(who: Visitor): Promise<string> {
  await who.post("/profile/second-factor");
  const { text } = await who.get("/profile/second-factor");
  const secret = /id="secret">([A-Z2-7 ]{20,})/.exec(text)?.[1]?.replaceAll(" ", "") ?? "";
  assert.notEqual(secret, "", text);
  const confirmed = await who.post("/profile/second-factor/confirm", { code: codeOf(secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  return secret;
}

type Only = Workspace & { breakGlass: Member; secret: string };

/** A workspace with single sign-on only. */
async function workspaceOnly(settings: Record<string, string> = {}): Promise<Only> {
  const made = await workspaceWith(server, provider, settings);
  const breakGlass = await signedIn(server, made.tenant, { role: "admin", name: "Brad Glass" });
  const secret = await withFactor(breakGlass);
  const switched = await made.admin.post("/workspace/sign-in/only", { break_glass: String(breakGlass.userId) });
  assert.equal(switched.status, 303, switched.text);
  return { ...made, breakGlass, secret };
}

const passwordOf = ({ tenant }: Workspace, { email }: { email: string }) => ({
  workspace: tenant.slug,
  email,
  password: PASSWORD,
});

test("the asking page says how many have never come that way, and takes only an admin with a second factor", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider);
  assert.match((await admin.get("/workspace/sign-in/only")).text, /No admin has a password and a second factor/);
  await withFactor(admin);
  const { subject, browser } = await userAt(server, provider, tenant);
  const never = async () =>
    /(\d+) (?:person has|people have) never/.exec((await admin.get("/workspace/sign-in/only")).text)?.[1];
  assert.equal(await never(), "2");
  await throughProvider(provider, browser, subject, begin);
  assert.equal(await never(), "1");
  const other = await signedIn(server, tenant, { role: "admin" });
  const member = await signedIn(server, tenant);
  await withFactor(member);
  const foreign = await workspaceWith(server, provider);
  await withFactor(foreign.admin);
  for (const id of ["", "x", other.userId, member.userId, foreign.admin.userId]) {
    const refused = await admin.post("/workspace/sign-in/only", { break_glass: String(id) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Choose an admin with a second factor/);
  }
  assert.equal((await admin.post("/workspace/sign-in/only", { break_glass: String(admin.userId) })).status, 303);
  assert.match((await admin.get("/workspace/sign-in")).text, /class="state good">Single sign-on only/);
});

test("the sign-in page has the provider first where it is the only way, and the password folded away", async () => {
  const { tenant } = await workspaceOnly();
  const { text } = await visitor(server).get(`/sign-in?workspace=${tenant.slug}`);
  const way = `<a class="button main" href="/sign-in/oidc/${tenant.slug}`;
  assert.ok(text.includes(way) && text.indexOf(way) < text.indexOf("<details><summary>Sign in with a password"), text);
  assert.doesNotMatch(text, /<button class="main"/);
  const refused = await visitor(server).post(
    "/sign-in",
    { workspace: tenant.slug, email: "nobody@acme.test", password: "x" },
    { "sec-fetch-site": "same-origin" },
  );
  assert.match(refused.text, /Only its break-glass admin has a password\.[^]*<details open>/);
  assert.match((await visitor(server).get("/sign-in")).text, /<button class="main">Sign in/);
});

test("passwords stop working but for the break-glass admin, who needs both; sessions and keys stay", async () => {
  const only = await workspaceOnly();
  const { tenant, admin, breakGlass, secret, begin } = only;
  const refused = await visitor(server).post("/sign-in", passwordOf(only, admin));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /This workspace signs in by single sign-on/);
  assert.match(refused.text, new RegExp(`href="/sign-in/oidc/${tenant.slug}"`));
  assert.equal((await admin.get("/today")).status, 200, "an open session");
  assert.equal((await tenant.get("/api/v1/companies")).status, 200, "an API key");
  const browser = visitor(server);
  const halfway = await browser.post("/sign-in", passwordOf(only, breakGlass));
  assert.equal(halfway.location, "/sign-in/code", halfway.text);
  await server.sql("update users set totp_last_step = null where tenant_id = $1", [tenant.id]);
  assert.equal((await browser.post("/sign-in/code", { code: codeOf(secret) })).location, "/today");
  // Without the second factor, the password is nobody's.
  await server.sql(
    "update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where tenant_id = $1 and id = $2",
    [tenant.id, breakGlass.userId],
  );
  assert.equal((await visitor(server).post("/sign-in", passwordOf(only, breakGlass))).status, 422);
  assert.match((await admin.get("/workspace/sign-in")).text, /class="trouble">No admin has a password and a second/);
  const { subject, browser: other } = await userAt(server, provider, tenant);
  assert.equal((await throughProvider(provider, other, subject, begin)).location, "/today");
  await admin.post("/workspace/sign-in/passwords");
  assert.equal((await visitor(server).post("/sign-in", passwordOf(only, admin))).location, "/today");
});

test("a password that was right before, and misses its code, is worth nothing afterwards", async () => {
  const made = await workspaceWith(server, provider);
  const { admin } = made;
  await withFactor(admin);
  const other = await signedIn(server, made.tenant);
  const secret = await withFactor(other);
  const halfway = visitor(server);
  assert.equal((await halfway.post("/sign-in", passwordOf(made, other))).location, "/sign-in/code");
  await admin.post("/workspace/sign-in/only", { break_glass: String(admin.userId) });
  await server.sql("update users set totp_last_step = null where tenant_id = $1", [made.tenant.id]);
  assert.equal((await halfway.post("/sign-in/code", { code: codeOf(secret) })).location, "/sign-in");
});

test("a password that was right before is worth nothing either where its session begins only afterwards", async () => {
  const made = await workspaceWith(server, provider);
  const { tenant, admin } = made;
  await withFactor(admin);
  const other = await signedIn(server, tenant);
  const secret = await withFactor(other);
  const halfway = visitor(server);
  const refusing = `select from users where tenant_id = ${tenant.id} and id = ${other.userId} for update;
    update single_sign_on set sso_only = true, sso_break_glass = ${admin.userId} where tenant_id = ${tenant.id}`;
  const begun = await whileHeld(server, refusing, async () => await halfway.post("/sign-in", passwordOf(made, other)));
  assert.equal(begun.location, "/sign-in/code");
  await server.sql("update users set totp_last_step = null where tenant_id = $1", [tenant.id]);
  assert.equal((await halfway.post("/sign-in/code", { code: codeOf(secret) })).status, 422);
  assert.match((await halfway.get("/today")).location ?? "", /^\/sign-in\/code/);
});

test("links for new passwords stop working, also those that were made before", async () => {
  const made = await workspaceWith(server, provider);
  const { tenant, admin } = made;
  const member = await signedIn(server, tenant);
  const linkFor = async () =>
    /(\/invitations\/[\w-]+)</.exec((await admin.post(`/users/${member.userId}/password-link`)).text)?.[1] ?? "";
  const before = await linkFor();
  assert.equal((await visitor(server).get(before)).status, 200);
  await withFactor(admin);
  await admin.post("/workspace/sign-in/only", { break_glass: String(admin.userId) });
  assert.equal(await linkFor(), "", "none is made");
  assert.equal((await visitor(server).get(before)).status, 404);
  assert.equal((await visitor(server).post(before, { password: "violet harbour 91" })).status, 404);
});

test("an invitation leads to the provider, and makes no password", async () => {
  const { tenant, admin, begin } = await workspaceOnly();
  const made = await admin.post("/users", { email: "invited@firm.example" });
  const link = /(\/invitations\/[\w-]+)</.exec(made.text)?.[1] ?? "";
  const browser = visitor(server);
  const { text } = await browser.get(link);
  assert.match(text, new RegExp(`href="${begin}"`));
  assert.doesNotMatch(text, /type="password"/);
  assert.equal((await browser.post(link, { name: "Ion", password: "violet harbour 91" })).status, 404);
  const subject = personAt(provider, { email: "invited@firm.example" });
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
  const [user] = await server.sql(
    "select password_hash from users where tenant_id = $1 and email = 'invited@firm.example'",
    [tenant.id],
  );
  assert.equal(user?.password_hash, null);
});

test("the break-glass admin stays an admin: no page, no group of the provider changes that", async () => {
  const { tenant, admin, breakGlass, begin } = await workspaceOnly({ admin_group: "admins" });
  for (const path of [`/users/${breakGlass.userId}/deactivate`, `/users/${breakGlass.userId}`]) {
    const refused = await admin.post(path, { role: "member" });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /this admin alone can come in/);
  }
  const subject = personAt(provider, { email: breakGlass.email, groups: [] });
  assert.equal((await throughProvider(provider, visitor(server), subject, begin)).location, "/today");
  const [row] = await server.sql("select role from users where tenant_id = $1 and id = $2", [
    tenant.id,
    breakGlass.userId,
  ]);
  assert.equal(row?.role, "admin");
});

test("the break-glass admin keeps the second factor until passwords are allowed again", async () => {
  const only = await workspaceOnly();
  const { tenant, admin, breakGlass, secret } = only;
  const factor = async () =>
    (await server.sql("select totp_confirmed_at from users where id = $1", [breakGlass.userId]))[0];
  for (const proof of [{ password: PASSWORD }, { code: codeOf(secret, 1) }]) {
    const refused = await breakGlass.post("/profile/second-factor/end", proof);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /It stays on: you alone can come in/);
  }
  await admin.post(`/users/${breakGlass.userId}/second-factor/reset`);
  assert.match((await admin.get(`/users/${breakGlass.userId}`)).text, /this admin alone can come in/);
  assert.notEqual((await factor())?.totp_confirmed_at, null);
  assert.equal(await resetFactor(tenant.id, server.deps.database, String(breakGlass.userId), "command"), "break-glass");
  const browser = visitor(server);
  assert.equal((await browser.post("/sign-in", passwordOf(only, breakGlass))).location, "/sign-in/code");

  await admin.post("/workspace/sign-in/off");
  assert.equal((await breakGlass.post("/profile/second-factor/end", { password: PASSWORD })).status, 303);
  assert.equal((await factor())?.totp_confirmed_at, null);
});

test("an admin who becomes the break-glass admin at that moment keeps the second factor, too", async () => {
  const { tenant } = await workspaceWith(server, provider);
  const breakGlass = await signedIn(server, tenant, { role: "admin" });
  await withFactor(breakGlass);
  const { id } = tenant;
  const refusing = `select from users where tenant_id = ${id} and id = ${breakGlass.userId} for no key update;
    update single_sign_on set sso_only = true, sso_break_glass = ${breakGlass.userId} where tenant_id = ${id}`;
  const ended = await whileHeld(server, refusing, async () => {
    return await breakGlass.post("/profile/second-factor/end", { password: PASSWORD });
  });
  assert.equal(ended.status, 409);
});

test("switching it off lets passwords in again, and says who has none", async () => {
  const only = await workspaceOnly({ domains: "firm.example", admits_domains: "1" });
  const { admin, begin } = only;
  const newcomer = personAt(provider, { email: "new@firm.example" });
  const browser = visitor(server);
  await throughProvider(provider, browser, newcomer, begin);
  assert.match((await admin.get("/workspace/sign-in/off")).text, /1 person has no password/);
  await admin.post("/workspace/sign-in/off");
  assert.equal((await browser.get("/today")).status, 200, "sessions stay");
  assert.equal((await visitor(server).get(begin)).status, 404);
  assert.equal((await visitor(server).post("/sign-in", passwordOf(only, admin))).location, "/today");
});

test("members see none of it, and the history shows every switch", async () => {
  const { tenant, admin } = await workspaceOnly();
  const member = await signedIn(server, tenant);
  for (const path of ["", "/try", "/only", "/off"]) {
    assert.equal((await member.get(`/workspace/sign-in${path}`)).status, 403);
  }
  const { text } = await admin.get("/history?type=workspace");
  const lines = changeLines(text).join("\n");
  for (const line of [/: single sign-on from No to Yes/, /Break-glass admin from No to Yes/, /Issuer: https/]) {
    assert.match(lines, line);
  }
  assert.doesNotMatch(text, /secret-of-the-client/);
  const [stored] = await server.sql("select sso_client_secret as secret from single_sign_on where tenant_id = $1", [
    tenant.id,
  ]);
  assert.doesNotMatch(String(stored?.secret), /secret-of/);
  assert.match((await admin.get("/workspace/sign-in")).text, /…1234/);
});
