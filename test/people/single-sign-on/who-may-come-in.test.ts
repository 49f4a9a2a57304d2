import assert from "node:assert/strict";
import { test } from "node:test";
import { insertingInvitation } from "../../../src/people/users/invitation-queries.ts";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { signedIn, visitor, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { HOUR } from "../sessions/clock.ts";
import { personAt, settingsOf, throughProvider, userAt, workspaceOff, workspaceWith } from "./people.ts";
import { startProvider } from "./provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();

const sentence = ({ text }: PageAnswer) =>
  /<section class="message"><h1>[^<]*<\/h1>\s*<p>([^<]*)/.exec(text)?.[1] ?? "";

async function usersOf(tenant: TestTenant): Promise<Record<string, unknown>[]> {
  return await server.sql("select email, name, role, password_hash from users where tenant_id = $1 order by id", [
    tenant.id,
  ]);
}

test("an address that is not verified opens nothing, whatever is true of it otherwise", async () => {
  const { tenant, begin } = await workspaceWith(server, provider, {
    domains: "firm.example",
    admits_domains: "1",
  });
  const before = await usersOf(tenant);
  for (const person of [
    { email_verified: false },
    { email_verified: undefined },
    { email_verified: "true" as never },
  ]) {
    const { subject, browser } = await userAt(server, provider, tenant, person);
    const answer = await throughProvider(provider, browser, subject, begin);
    assert.match(sentence(answer), /does not say that your e-mail address is verified/);
    const stranger = personAt(provider, { email: "somebody@firm.example", ...person });
    assert.equal((await throughProvider(provider, visitor(server), stranger, begin)).status, 403);
  }
  assert.equal((await usersOf(tenant)).length, before.length + 3);
  assert.deepEqual(await server.sql("select id from single_sign_on_links where tenant_id = $1", [tenant.id]), []);
});

test("an admin may declare the provider's addresses of the domains verified, and of no others", async () => {
  const { tenant, begin } = await workspaceWith(server, provider, {
    domains: "example.com, @Firm.Example",
    trusts_addresses: "1",
  });
  const inside = await userAt(server, provider, tenant, { email_verified: undefined });
  assert.equal((await throughProvider(provider, inside.browser, inside.subject, begin)).location, "/today");
  for (const email of ["a@sub.firm.example", "a@firm.example.org", "a@xfirm.example"]) {
    const outside = personAt(provider, { email, email_verified: undefined });
    assert.match(sentence(await throughProvider(provider, visitor(server), outside, begin)), /is verified/, email);
  }
});

test("a stranger of the domains becomes a member without a password where the workspace says so", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider, { domains: "firm.example" });
  const subject = personAt(provider, { email: "Ion@Firm.Example", name: "Ion Marin" });
  const refused = await throughProvider(provider, visitor(server), subject, begin);
  assert.match(sentence(refused), /Ask an admin of your workspace for an invitation/);
  await admin.post("/workspace/sign-in", settingsOf(provider, { domains: "firm.example", admits_domains: "1" }));
  const browser = visitor(server);
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
  const made = (await usersOf(tenant)).at(-1);
  assert.deepEqual(made, { email: "Ion@Firm.Example", name: "Ion Marin", role: "member", password_hash: null });
  assert.match((await browser.get("/profile")).text, /You sign in by single sign-on, and have no password/);
  const lines = changeLines((await admin.get("/history?type=user")).text);
  assert.match(lines[1] ?? "", /^Single sign-on created the user Ion Marin/);
  assert.match(lines[0] ?? "", /^Ion Marin changed the user Ion Marin: single sign-on from No to Yes/);
  // No password is right for them, an empty one included.
  for (const password of ["", "null", "correct horse battery"]) {
    const typed = { workspace: tenant.slug, email: "ion@firm.example", password };
    assert.equal((await visitor(server).post("/sign-in", typed)).status, 422);
  }
  const elsewhere = personAt(provider, { email: "ion@other.example" });
  assert.equal((await throughProvider(provider, visitor(server), elsewhere, begin)).status, 403);
});

test("twenty requests of a newcomer at once make one user and one link", async () => {
  const { tenant, begin } = await workspaceWith(server, provider, { domains: "firm.example", admits_domains: "1" });
  const subject = personAt(provider, { email: "many@firm.example" });
  const answers = [];
  for (let i = 0; i < 20; i++) answers.push(throughProvider(provider, visitor(server), subject, begin));
  const locations = (await Promise.all(answers)).map(({ location }) => location);
  assert.deepEqual([...new Set(locations)], ["/today"]);
  assert.equal((await usersOf(tenant)).filter(({ email }) => email === "many@firm.example").length, 1);
});

test("an open invitation lets its address in, with its role, once its maker is an admin", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider);
  await admin.post("/users", { email: "invited@else.example", role: "admin" });
  const subject = personAt(provider, { email: "Invited@else.example" });
  const browser = visitor(server);
  assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
  assert.equal((await browser.get("/users")).status, 200, "an admin");
  assert.deepEqual(
    await server.sql("select accepted_at is not null as accepted from invitations where tenant_id = $1", [tenant.id]),
    [{ accepted: true }],
  );
  const maker = await signedIn(server, tenant, { role: "admin" });
  await maker.post("/users", { email: "late@else.example" });
  await server.sql("update users set role = 'member' where tenant_id = $1 and id = $2", [tenant.id, maker.userId]);
  const late = personAt(provider, { email: "late@else.example" });
  assert.equal((await throughProvider(provider, visitor(server), late, begin)).status, 403);
});

test("a deactivated user stays outside, linked or not, and a reactivated one comes in again", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider, {
    domains: "example.com",
    admits_domains: "1",
  });
  const linked = await userAt(server, provider, tenant);
  await throughProvider(provider, linked.browser, linked.subject, begin);
  const unlinked = await userAt(server, provider, tenant);
  for (const { id, subject, browser } of [linked, unlinked]) {
    await admin.post(`/users/${id}/deactivate`);
    const answer = await throughProvider(provider, browser, subject, begin);
    assert.match(sentence(answer), /is deactivated/);
    assert.equal((await browser.get("/today")).status, 303);
  }
  await admin.post(`/users/${linked.id}/reactivate`);
  assert.equal((await throughProvider(provider, linked.browser, linked.subject, begin)).location, "/today");
});

test("an address that another person has now does not open the account of the former one", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider);
  const { id, subject, email, browser } = await userAt(server, provider, tenant);
  await throughProvider(provider, browser, subject, begin);
  const successor = personAt(provider, { email });
  const answer = await throughProvider(provider, visitor(server), successor, begin);
  assert.match(sentence(answer), /a user with another account/);
  assert.match((await admin.get(`/users/${id}`)).text, /Forget the account at the provider/);
  await admin.post(`/users/${id}/single-sign-on/forget`);
  assert.match((await admin.get("/history?type=user")).text, /from Yes to No/);
  assert.equal((await throughProvider(provider, visitor(server), successor, begin)).location, "/today");
  assert.equal((await throughProvider(provider, visitor(server), subject, begin)).status, 403);
});

test("the groups give the role at every sign-in, but never take it from the last admin", async () => {
  const rules = { admin_group: "liaison-admins", groups_claim: "groups" };
  const { tenant, admin, begin } = await workspaceWith(server, provider, rules);
  const { id, subject, email, browser } = await userAt(server, provider, tenant);
  const roleOf = async (user: number) =>
    (await server.sql("select role from users where tenant_id = $1 and id = $2", [tenant.id, user]))[0]?.role;
  const come = async (groups: string[] | string | undefined) => {
    provider.people.set(subject, {
      email,
      email_verified: true,
      ...(groups !== undefined && { groups: groups as never }),
    });
    assert.equal((await throughProvider(provider, browser, subject, begin)).location, "/today");
    return await roleOf(id);
  };
  assert.equal(await come(["others", "liaison-admins"]), "admin");
  assert.equal(await come(["others"]), "member");
  assert.equal(await come("liaison-admins"), "admin");
  assert.equal(await come([]), "member");
  const [line] = changeLines((await admin.get("/history?type=user")).text);
  assert.match(line ?? "", /^Single sign-on changed the user Ion Marin: role from Admin to Member/);
  // The admin has no groups, and is the last one.
  assert.equal((await throughProvider(provider, visitor(server), `admin-${tenant.slug}`, begin)).location, "/today");
  assert.equal(await roleOf(admin.userId), "admin");
});

test("groups that the provider does not send leave the role, and the admins read so", async () => {
  const { tenant, admin, begin } = await workspaceWith(server, provider, { admin_group: "admins" });
  const { id, subject, email, browser } = await userAt(server, provider, tenant);
  const come = async (person: object, claims: object = {}) => {
    provider.people.set(subject, { email, email_verified: true, ...person });
    provider.alter = (token) => ({ ...token, ...claims });
    const { location } = await throughProvider(provider, browser, subject, begin);
    provider.alter = null;
    assert.equal(location, "/today");
    return (await server.sql("select role from users where tenant_id = $1 and id = $2", [tenant.id, id]))[0]?.role;
  };
  const unknown = /The provider last sent no complete list of groups/;
  assert.equal(await come({}), "member", "a member without groups stays one");
  await admin.post("/workspace/sign-in", settingsOf(provider, { admin_group: "admins" }));
  assert.doesNotMatch((await admin.get("/workspace/sign-in")).text, unknown, "saved settings begin again");
  const many = Array.from({ length: 1_000 }, (_, index) => `g${index}`);
  assert.equal(await come({ groups: [...many, "admins"] }), "admin", "the last of 1,001 groups counts");
  for (const [person, claims] of [
    [{}],
    [{ groups: null }],
    [{ groups: [{ name: "admins" }] }],
    [{}, { hasgroups: true }],
    [{ groups: [] }, { hasgroups: "true" }],
    [{ groups: ["others"] }, { hasgroups: 1 }],
    [{ groups: "others admins" }],
    [{ groups: "others;admins" }],
    [{}, { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://x.example" } } }],
    [{ groups: ["others"] }, { _claim_names: { groups: "src1" } }],
  ] as [object, object?][]) {
    assert.equal(await come(person, claims), "admin", JSON.stringify([person, claims]));
  }
  assert.match((await admin.get("/workspace/sign-in")).text, unknown);
  for (const groups of [["others"], "no-admins others", ["domain admins"]]) {
    assert.equal(await come({ groups }), "member", "a list without the group is clear");
    assert.equal(await come({ groups: "admins" }), "admin");
  }

  const trial = async (person: object) => {
    provider.people.set(`admin-${tenant.slug}`, { email: admin.email, email_verified: true, ...person });
    return (await throughProvider(provider, admin, `admin-${tenant.slug}`, "/workspace/sign-in/try")).text;
  };
  assert.match(await trial({}), /The provider sent no groups, or not all/);
  assert.match(await trial({ groups: ["/admins"] }), /None of these groups is the group of admins, admins\./);
  assert.doesNotMatch(await trial({ groups: ["admins"] }), /class="trouble"/);
});

/** What a browser posts of a page that nobody has typed anything into. */
function formIn(text: string): Record<string, string> {
  const shown = [...text.matchAll(/type="hidden" name="was-(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(
    shown.flatMap(([, name = "", value = ""]) => [
      [name, value],
      [`was-${name}`, value],
    ]),
  );
}

test("a form of the settings changes what was edited, and nothing that another admin has changed meanwhile", async () => {
  const { admin } = await workspaceWith(server, provider, { domains: "firm.example", scopes: "groups" });
  const form = formIn((await admin.get("/workspace/sign-in")).text);
  assert.deepEqual([form.domains, form.admits_domains, form.scopes], ["firm.example", "0", "groups"]);
  const others = { domains: "firm.example sud.example", admits_domains: "1", admin_group: "admins" };
  await admin.post("/workspace/sign-in", settingsOf(provider, { ...others, secret: "" }));
  assert.equal((await admin.post("/workspace/sign-in", { ...form, scopes: "team:read" })).status, 303);
  const after = (await admin.get("/workspace/sign-in")).text;
  for (const kept of [/"firm.example sud.example"/, /"admins"/, /"team:read"/, /id="admits_domains"[^>]* checked/])
    assert.match(after, kept);
});

test("a new secret is kept with the client that its form shows, whatever another admin has entered meanwhile", async () => {
  const { admin } = await workspaceOff(server, provider);
  const form = formIn((await admin.get("/workspace/sign-in")).text);
  const others = settingsOf(provider, { client_id: "of-another-form", secret: "other" });
  assert.equal((await admin.post("/workspace/sign-in", others)).status, 303);
  assert.match((await admin.get("/workspace/sign-in")).text, /of-another-form/);
  assert.equal((await admin.post("/workspace/sign-in", { ...form, secret: "new" })).status, 303);
  const { text } = await admin.get("/workspace/sign-in");
  assert.equal(formIn(text).client_id, form.client_id);
  assert.doesNotMatch(text, /of-another-form/);
});

test("more scopes are requested, are in the history, and are checked", async () => {
  const { admin, begin } = await workspaceWith(server, provider, { scopes: " groups,  team:read; groups openid" });
  const { location } = await visitor(server).get(begin);
  assert.equal(new URL(location ?? "").searchParams.get("scope"), "openid email profile groups team:read");
  assert.match((await admin.get("/workspace/sign-in")).text, /value="groups team:read openid"/);
  assert.match((await admin.get("/history")).text, /More scopes/);
  const refused = await admin.post("/workspace/sign-in", settingsOf(provider, { scopes: 'gro"ups' }));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Write scopes such as groups/);
  assert.match(refused.text, /id="secret-error">Please enter the secret value again/);
});

test("names and addresses that no user can have are not taken from the provider", async () => {
  const { tenant, begin } = await workspaceWith(server, provider, { domains: "firm.example", admits_domains: "1" });
  const nameless = personAt(provider, { email: "nameless@firm.example", name: "x".repeat(300) });
  assert.equal((await throughProvider(provider, visitor(server), nameless, begin)).location, "/today");
  assert.equal((await usersOf(tenant)).at(-1)?.name, "nameless");
  for (const email of [undefined, "", "no address", `${"a".repeat(300)}@firm.example`, "a\u0000b@firm.example"]) {
    const subject = personAt(provider, { email });
    const answer = await throughProvider(provider, visitor(server), subject, begin);
    assert.match(sentence(answer), /gave no e-mail address/, String(email));
  }
});

test("an invitation that an operator made lets its address in, although no user of the workspace made it", async () => {
  const { tenant, begin } = await workspaceWith(server, provider);
  const email = "first-admin@else.example";
  // The statement by which an operator makes a tenant with the invitation of its first admin.
  const hash = Buffer.alloc(32, 7);
  const [createdAt, expiresAt] = [Date.now(), Date.now() + HOUR];
  const invitation = {
    email,
    role: "admin",
    hash,
    invitedBy: null,
    createdAt,
    expiresAt,
    by: "operator",
    forUser: null,
  };
  await server.deps.database.write(tenant.id, [insertingInvitation(invitation)]);
  const browser = visitor(server);
  assert.equal((await throughProvider(provider, browser, personAt(provider, { email }), begin)).location, "/today");
  assert.equal((await browser.get("/users")).status, 200, "an admin");
});
