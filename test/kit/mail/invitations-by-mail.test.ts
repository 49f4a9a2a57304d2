import assert from "node:assert/strict";
import { test } from "node:test";
import { createTenantWithAdmin } from "../../../src/people/operators/create-tenant.ts";
import { operatorIn, PASSWORD, signedIn, visitor, type PageAnswer } from "../../doors/pages/visitor.ts";
import { linkIn } from "./mail-server.ts";
import { ORIGIN, startMailing } from "./mailing-server.ts";

const server = await startMailing();
const { mail } = server;
const tenant = await server.createTenant({ slug: "acme" });
const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });

const tokenIn = (text: string) => /\/invitations\/([\w-]{43})/.exec(text)?.[1] ?? "";
const choose = async (token: string, form: Record<string, string>): Promise<PageAnswer> =>
  await visitor(server).post(`/invitations/${token}`, form);

test("an invitation is sent by mail, its link works, and the page shows the same link to copy", async () => {
  assert.match((await admin.get("/users/new")).text, /<button class="main">Send invitations</);
  const page = await admin.post("/users", { email: "ion@example.com", role: "member" }, english);
  assert.match(page.text, /on its way to ion@example\.com by mail/);
  const [row] = await server.sql("select details, email from mails");
  assert.equal(row?.email, "ion@example.com");
  assert.ok(!String(row?.details).includes(tokenIn(page.text)), "the token is not stored in plain text");
  server.startWorker();
  const [message] = await mail.until("ion@example.com");
  assert.ok(message);
  assert.equal(message.subject, "You are invited to Tenant acme");
  assert.equal(message.headers.get("from"), "Liaison <crm@example.com>");
  assert.equal(message.headers.get("auto-submitted"), "auto-generated");
  assert.match(message.text, /^Ana Pop invites you to the workspace Tenant acme in Liaison\.$/m);
  const link = linkIn(message.text, "/invitations/");
  assert.equal(link, `${ORIGIN}/invitations/${tokenIn(page.text)}`);
  assert.equal(linkIn(message.html, "/invitations/").replace(/".*/, ""), link);
  assert.equal((await choose(tokenIn(link), { name: "Ion", password: "Violet-harbour-91" })).location, "/today");
  await server.untilIdle();
  assert.deepEqual(await server.sql("select state, details, failure from mails"), [
    { state: "sent", details: null, failure: null },
  ]);
});

test("several people are invited at once; an address that is refused is named beside the links", async () => {
  const some = "lia@example.com\r\nradu@example.com, nobody; lia@example.com ana@example.com";
  const { status, text } = await admin.post("/users", { email: some, role: "member" }, english);
  assert.equal(status, 200);
  assert.match(text, /3 invitations were made/);
  assert.match(text, /nobody: [^<]*e-mail/i);
  const tokens = [...text.matchAll(/\/invitations\/([\w-]{43})/g)].map(([, token]) => token);
  assert.equal(new Set(tokens).size, 3);
  const open = await server.sql("select email, role from invitations where email like '%a@example.com' order by email");
  assert.deepEqual(open, [
    { email: "ana@example.com", role: "member" },
    { email: "lia@example.com", role: "member" },
  ]);
  const many = Array.from({ length: 51 }, (_, n) => `p${n}@example.com`).join("\n");
  const refused = await admin.post("/users", { email: many }, { ...own, "accept-language": "ro" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /cel mult 50 de adrese/);
});

test("an invitation is in the language of the page that it was made on", async () => {
  await admin.post("/users", { email: "maria@example.com" }, { ...own, "accept-language": "ro" });
  const [message] = await mail.until("maria@example.com");
  assert.equal(message?.subject, "Invitație în spațiul de lucru Tenant acme");
  assert.match(message?.text ?? "", /Ana Pop vă invită în spațiul de lucru/);
});

test("an invitation that was revoked or replaced before its mail went is not sent", async () => {
  await server.untilIdle();
  mail.behaviour.data = () => Object.assign(new Error("later"), { responseCode: 451 });
  await admin.post("/users", { email: "dan@example.com" }, english);
  await server.untilIdle();
  const second = await admin.post("/users", { email: "dan@example.com" }, english);
  await server.untilIdle();
  delete mail.behaviour.data;
  await server.hasten();
  const messages = await mail.until("dan@example.com");
  await server.untilIdle();
  assert.deepEqual(
    messages.map(({ text }) => tokenIn(text)),
    [tokenIn(second.text)],
  );
  assert.deepEqual(await server.sql("select state from mails where email = 'dan@example.com'"), [{ state: "sent" }]);
});

test("an admin's link for a new password is sent by mail too, in the language of its user", async () => {
  const member = await signedIn(server, tenant, { name: "Dana" });
  await server.sql("update users set language = 'ro' where id = $1", [member.userId]);
  const page = await admin.post(`/users/${member.userId}/password-link`, {}, english);
  const [message] = await mail.until(member.email);
  assert.equal(message?.subject, "O parolă nouă pentru Tenant acme");
  assert.equal(tokenIn(message?.text ?? ""), tokenIn(page.text));
});

const own = { "sec-fetch-site": "same-origin" };
const english = { ...own, "accept-language": "en" };

test("a new tenant's first admin gets the invitation by mail, in the language of the tenant's country", async () => {
  const operator = await operatorIn(server);
  assert.match((await operator.get("/operator/tenants/new")).text, /gets the invitation by mail/);
  for (const [slug, country, subject] of [
    ["carpat", "Romania", "Invitație în spațiul de lucru Carpat"],
    ["wicklow", "Ireland", "You are invited to Carpat"],
  ] as const) {
    const email = `first@${slug}.example`;
    const form = { name: "Carpat", slug, email, country };
    const shown = await operator.post("/operator/tenants", form);
    assert.match(shown.text, new RegExp(`on its way to ${email}`));
    const [message] = await mail.until(email);
    assert.equal(message?.subject, subject);
    assert.match(message?.text ?? "", /Olga Operator/);
    const [link = ""] = /\/invitations\/[\w-]+/.exec(message?.text ?? "") ?? [];
    assert.ok(shown.text.includes(link), "the same link as on the page");
    const accepted = await visitor(server).post(link, { name: "Ana Pop", password: PASSWORD });
    assert.equal(accepted.status, 303, accepted.text);
  }
});

test("a command that creates a tenant has its first admin invited by mail", async () => {
  const tenant = { slug: "commanded", name: "Commanded", country: null, email: "ana@commanded.example" };
  const made = await createTenantWithAdmin(server.deps, { ...tenant, by: "command" }, null);
  const [message] = await mail.until(tenant.email);
  assert.match(message?.text ?? "", /Ați primit o invitație în spațiul de lucru Commanded/);
  assert.ok(message?.text.includes(`/invitations/${made?.token}`));
});
