import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, visitor } from "../../doors/pages/visitor.ts";
import { ORIGIN, startMailing } from "../../kit/mail/mailing-server.ts";
import { throughProvider, userAt, workspaceOff, type Workspace } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startMailing({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();
server.startWorker();

/** A workspace with single sign-on. The provider sends browsers to the server's public address. */
async function workspace(): Promise<Workspace> {
  const made = await workspaceOff(server, provider);
  const { tenant, admin } = made;
  provider.register(`${ORIGIN}/sign-in/oidc/${tenant.slug}/callback`);
  provider.people.set(tenant.slug, { email: admin.email, email_verified: true, name: "Ana Pop" });
  const tried = await throughProvider(provider, admin, tenant.slug, "/workspace/sign-in/try");
  assert.equal(tried.status, 200, tried.text);
  await admin.post("/workspace/sign-in/on");
  return made;
}

test("a sign-in at the provider from an unknown browser notifies its user, and a known browser does not", async () => {
  const { tenant, begin } = await workspace();
  const { subject, email, browser } = await userAt(server, provider, tenant);
  for (const time of ["first", "second"]) {
    assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today", time);
    await browser.post("/sign-out");
  }
  await server.untilIdle();
  const subjects = (await server.mail.until(email)).map(({ subject: each }) => each);
  assert.deepEqual(subjects, [`Autentificare nouă în Tenant ${tenant.slug}`]);
});

test("where single sign-on is the only way, a forgotten password is no mail and no link, and an admin is offered none", async () => {
  const { tenant, admin } = await workspace();
  const member = await signedIn(server, tenant);
  const user = `/users/${member.userId}`;
  assert.match((await admin.get(user)).text, /password-link/);
  await server.sql("update single_sign_on set sso_only = true, sso_break_glass = $2 where tenant_id = $1", [
    tenant.id,
    admin.userId,
  ]);
  assert.doesNotMatch((await admin.get(user)).text, /password-link/);
  assert.equal((await admin.post(`${user}/password-link`)).location, user);
  const asked = await visitor(server).post("/sign-in/forgotten", { workspace: tenant.slug, email: member.email });
  assert.equal(asked.status, 200, asked.text);
  await server.untilIdle();
  const mails = "select from mails where tenant_id = $1 and kind = 'forgotten-password'";
  assert.equal((await server.sql(mails, [tenant.id])).length, 0);
  assert.equal((await server.sql("select from invitations where tenant_id = $1", [tenant.id])).length, 0);
});
