import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import {
  PASSWORD,
  signedIn,
  visitor,
  type Form,
  type Member,
  type PageAnswer,
  type Visitor,
} from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { whileHeld } from "../../held.ts";

const server = await startServer();
const RO = { "sec-fetch-site": "same-origin", "accept-language": "ro" };

async function workspace(): Promise<{ tenant: TestTenant; admin: Member }> {
  const tenant = await server.createTenant();
  return { tenant, admin: await signedIn(server, tenant, { role: "admin", name: "Ana Pop" }) };
}

let invited = 0;

/** The path of a new invitation's link. */
async function invite(admin: Visitor, form: Form = {}): Promise<string> {
  const { status, text } = await admin.post("/users", { email: `invited-${++invited}@example.com`, ...form });
  assert.equal(status, 200, text);
  const [, path] =
    new RegExp(`<pre id="link" tabindex="0">${server.url}(/invitations/[\\w-]{43})</pre>`).exec(text) ?? [];
  assert.ok(path, text);
  return path;
}

const accepted = { name: "Ion Marin", password: "violet harbour 91" };

test("an invited person gives a name and a password, and is in, with the role of the invitation", async () => {
  const { tenant, admin } = await workspace();
  const path = await invite(admin, { email: "ion@example.com", role: "admin" });
  const token = path.replace("/invitations/", "");
  const listed = await admin.get("/users");
  assert.match(listed.text, /ion@example\.com/);
  assert.equal(listed.text.includes(token), false, "the link is shown once");

  const person = visitor(server);
  const form = await person.get(path);
  assert.match(form.text, new RegExp(`to the workspace Tenant ${tenant.slug}, as: Admin\\..*ion@example\\.com`));
  const answer = await person.post(path, accepted);
  assert.deepEqual([answer.status, answer.location], [303, "/today"]);
  assert.ok(person.cookies.has("liaison-browser"));
  assert.match((await person.get("/today")).text, /Welcome\..*|Ion Marin/);
  assert.equal((await person.get("/users")).status, 200);

  const used = await visitor(server).post(path, accepted);
  assert.equal(used.status, 404);
  assert.match(used.text, /This link no longer works.*ask an admin of your workspace for another one/s);
  const again = await visitor(server).post("/sign-in", {
    workspace: tenant.slug,
    email: "Ion@example.com",
    password: accepted.password,
  });
  assert.equal(again.location, "/today");
});

test("an invited person's wrong name or password is named at its field, in the page's language, and the link still works", async () => {
  const { tenant, admin } = await workspace();
  const path = await invite(admin, { email: `maria@${tenant.slug}.example` });
  const tries: [Form, RegExp, RegExp][] = [
    [
      { name: " ", password: accepted.password },
      /Your name is required\./,
      /Completați câmpul „Numele dumneavoastră”\./,
    ],
    [{ name: "Ion", password: "short" }, /Password must have at least 12 characters\./, /cel puțin 12 caractere/],
    [{ name: "Ion", password: "password1234" }, /many people use/, /folosite de mulți/],
    [{ name: "Ion", password: `maria@${tenant.slug}.example` }, /e-mail address or the workspace/, /adresa de e-mail/],
    [{ name: "Ion", password: "violet\u0007harbour" }, /characters that cannot be stored/, /nu pot fi păstrate/],
  ];
  for (const [form, english, romanian] of tries) {
    const answer = await visitor(server).post(path, form);
    assert.equal(answer.status, 422);
    assert.match(answer.text, english);
    assert.match((await visitor(server).post(path, form, RO)).text, romanian);
    assert.equal(
      answer.text.includes(String(form.password)) && form.password !== `maria@${tenant.slug}.example`,
      false,
    );
  }
  assert.equal((await visitor(server).post(path, accepted)).status, 303);
});

test("a link that is used, expired, revoked, replaced or made up has one page, which says what to do", async () => {
  const { tenant, admin } = await workspace();
  const paths = {
    used: await invite(admin),
    expired: await invite(admin),
    revoked: await invite(admin),
    replaced: await invite(admin, { email: "twice@example.com" }),
    unknown: `/invitations/${"A".repeat(43)}`,
    nonsense: "/invitations/nonsense",
  };
  await visitor(server).post(paths.used, accepted);
  const rows = await server.sql("select id from invitations where tenant_id = $1 order by id", [tenant.id]);
  const [, expired, revoked] = rows.map(({ id }) => String(id));
  await server.sql("update invitations set expires_at = now() where id = $1 and tenant_id = $2", [expired, tenant.id]);
  const done = await admin.post(`/users/invitations/${revoked}/revoke`);
  assert.equal(done.location, "/users");
  assert.match((await admin.get("/users")).text, /The invitation was revoked\./);
  const fresh = await invite(admin, { email: "Twice@example.com" });

  const pages = await Promise.all(
    Object.values(paths).flatMap((path) => [visitor(server).get(path), visitor(server).post(path, accepted)]),
  );
  assert.deepEqual([...new Set(pages.map(({ status }) => status))], [404]);
  assert.equal(new Set(pages.map(({ text }) => text)).size, 1);
  assert.match(
    (await visitor(server).get(paths.used, { "accept-language": "ro" })).text,
    /Acest link nu mai este valabil/,
  );
  assert.equal((await visitor(server).get(fresh)).status, 200);
  assert.equal((await admin.post(`/users/invitations/${revoked}/revoke`)).status, 404);
});

test("an address that is typed in several spellings gets one invitation, whose link works", async () => {
  const { admin } = await workspace();
  const path = await invite(admin, { email: "Dan@new.example dan@new.example, DAN@NEW.EXAMPLE" });
  assert.equal((await visitor(server).get(path)).status, 200);
});

test("a refused form of a user keeps the role and the right to export that were chosen", async () => {
  const { tenant, admin } = await workspace();
  const { userId } = await signedIn(server, tenant);
  const before = (await admin.get(`/users/${userId}`)).text;
  const refused = await admin.post(`/users/${userId}`, {
    name: "",
    email: "a@b.example",
    role: "admin",
    may_export: "0",
  });
  assert.equal(refused.status, 422);
  const chosen = ({ text }: { text: string }) => [
    /<option value="admin" selected/.test(text),
    /name="may_export"[^>]*checked/.test(text),
  ];
  assert.deepEqual(
    [chosen({ text: before }), chosen(refused)],
    [
      [false, true],
      [true, false],
    ],
  );
});

test("a form of a user changes what was edited, and nothing that another admin has changed meanwhile", async () => {
  const { tenant, admin } = await workspace();
  const { userId, email } = await signedIn(server, tenant);
  const { text } = await admin.get(`/users/${userId}`);
  const hidden = Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(was-\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  assert.deepEqual(hidden, { "was-name": "Ana Pop", "was-email": email, "was-role": "member", "was-may_export": "1" });
  const form = { name: "Ana Pop", email, role: "member", may_export: "1" };
  await admin.post(`/users/${userId}`, { ...form, role: "admin", may_export: "0" });
  assert.equal((await admin.post(`/users/${userId}`, { ...hidden, ...form, name: "Ana Ene" })).status, 303);
  const rows = await server.sql("select name, role, export_refused_at is null as may from users where id = $1", [
    userId,
  ]);
  assert.deepEqual(rows, [{ name: "Ana Ene", role: "admin", may: false }]);
});

test("an address that has a user is not invited, and one that got a user meanwhile keeps that one", async () => {
  const { tenant, admin } = await workspace();
  const taken = await admin.post("/users", { email: admin.email.toUpperCase() });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /<p class="error" id="email-error">There is a user with this e-mail address already\./);
  assert.match((await admin.post("/users", { email: "no address" })).text, /E-mail must be an e-mail address/);

  const other = await signedIn(server, tenant, { name: "Before" });
  const path = await invite(admin, { email: "later@example.com" });
  await server.sql("update users set email = 'later@example.com' where tenant_id = $1 and id = $2", [
    tenant.id,
    other.userId,
  ]);
  const answer = await visitor(server).post(path, accepted);
  assert.equal(answer.status, 409);
  assert.match(answer.text, /There is a user with this e-mail address already, so nothing was changed\./);
  assert.match((await admin.get(`/users/${other.userId}`)).text, /<h1>Before<\/h1>/);
});

test("a deactivation ends every session at once, and they stay ended when it is over", async () => {
  const { tenant, admin } = await workspace();
  const member = await signedIn(server, tenant);
  assert.equal((await member.get("/companies")).status, 200);
  const answer = await admin.post(`/users/${member.userId}/deactivate`);
  assert.equal(answer.location, `/users/${member.userId}`);
  assert.match(
    (await admin.get(`/users/${member.userId}`)).text,
    /Deactivated\. All sessions of this person have ended\./,
  );
  const signIn: Form = { workspace: tenant.slug, email: member.email, password: PASSWORD };
  assert.equal((await member.get("/companies")).location, "/sign-in?to=%2Fcompanies");
  assert.equal((await visitor(server).post("/sign-in", signIn)).status, 422);

  assert.equal((await admin.post(`/users/${member.userId}/reactivate`)).status, 303);
  assert.equal((await member.get("/companies")).status, 303);
  assert.equal((await visitor(server).post("/sign-in", signIn)).status, 303);
});

test("an invitation ends with the rights of who made it, and does not come back with them", async () => {
  const { tenant, admin } = await workspace();
  const others = await invite(admin);
  for (const end of ["deactivate", "role"] as const) {
    const inviter = await signedIn(server, tenant, { role: "admin", name: "Bob" });
    const own = `/users/${inviter.userId}`;
    const paths = [await invite(inviter, { role: "admin" }), await invite(inviter)];
    assert.match((await admin.get(own)).text, /Open invitations that this person made end with it: 2\./);
    await (end === "role" ? admin.post(own, { role: "member" }) : admin.post(`${own}/deactivate`));
    const after = (await admin.get(own)).text;
    assert.match(after, /Open invitations of this person have ended too: 2\./);
    assert.doesNotMatch(after, /end with it/);
    const gone = async (why: string) => {
      for (const path of paths) {
        assert.equal((await visitor(server).get(path)).status, 404, why);
        assert.equal((await visitor(server).post(path, accepted)).status, 404, why);
      }
    };
    await gone(end);
    await admin.post(end === "role" ? own : `${own}/reactivate`, { role: "admin" });
    await gone("the rights are back");
  }
  assert.equal((await visitor(server).get(others)).status, 200);
});

test("an acceptance while the maker's rights end is too late", async () => {
  const { tenant, admin } = await workspace();
  for (const end of ["deactivated_at = now()", "role = 'member'"]) {
    const inviter = await signedIn(server, tenant, { role: "admin" });
    const path = await invite(inviter, { role: "admin" });
    const other = `update users set ${end} where id = ${inviter.userId}`;
    const answer = await whileHeld(server, other, () => visitor(server).post(path, accepted));
    assert.equal(answer.status, 404, end);
    assert.equal((await visitor(server).get(path)).status, 404, "also where nobody revoked it");
  }
  assert.doesNotMatch((await admin.get("/users")).text, /Ion Marin/);
});

test("an invitation while its maker's rights end invites nobody", async () => {
  const { tenant, admin } = await workspace();
  for (const end of ["deactivated_at = now()", "role = 'member'"]) {
    const inviter = await signedIn(server, tenant, { role: "admin" });
    const other = `update users set ${end} where id = ${inviter.userId}`;
    const answer = await whileHeld(server, other, () => inviter.post("/users", { email: "late@example.com" }));
    assert.equal(answer.status, 403, end);
  }
  assert.doesNotMatch((await admin.get("/users")).text, /late@example\.com/);
});

test("a role takes effect at once, on the sessions that there are", async () => {
  const { tenant, admin } = await workspace();
  const member = await signedIn(server, tenant);
  for (const [role, status] of [
    ["admin", 200],
    ["member", 403],
  ] as const) {
    const answer = await admin.post(`/users/${member.userId}`, { role });
    assert.equal(answer.location, `/users/${member.userId}`);
    for (const path of ["/users", "/users/new", "/workspace", "/keys"]) {
      assert.equal((await member.get(path)).status, status, `${role} ${path}`);
    }
  }
  const wrong = await admin.post(`/users/${member.userId}`, { role: "boss" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Please choose a value for Role from the list\./);
});

test("the last active admin stays one, and the page says why", async () => {
  const { tenant, admin } = await workspace();
  const own = `/users/${admin.userId}`;
  for (const refused of [await admin.post(own, { role: "member" }), await admin.post(`${own}/deactivate`)]) {
    assert.equal(refused.status, 409);
    assert.match(refused.text, /this is the last active admin.*Make somebody else an admin first\./);
  }
  assert.match((await admin.post(own, { role: "member" }, RO)).text, /ultimul administrator activ/);
  assert.equal((await admin.get("/users")).status, 200);

  await signedIn(server, tenant, { role: "admin" });
  assert.equal((await admin.post(own, { role: "member" })).location, "/companies");
  assert.equal((await admin.get("/companies")).status, 200);
  assert.equal((await admin.get("/users")).status, 403);
});

test("the list says who is who, who was seen, and nothing of a hash", async () => {
  const { tenant, admin } = await workspace();
  const member = await signedIn(server, tenant, { name: "Bogdan" });
  await server.sql("delete from sessions where tenant_id = $1 and user_id = $2", [tenant.id, member.userId]);
  const { text } = await admin.get("/users");
  const rows = [...text.matchAll(/<tr>\n<td class="name"><a[^]*?<\/tr>/g)].map(([row]) => row);
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? "", /Ana Pop[^]*Admin[^]*Active[^]*data-label="Last seen">\d+ \w+ \d{4}, \d\d:\d\d<\/td>/);
  assert.match(rows[1] ?? "", /Bogdan[^]*Member[^]*Active[^]*data-label="Last seen"><\/td>/);
  const [stored] = await server.sql("select password_hash from users where tenant_id = $1 and id = $2", [
    tenant.id,
    member.userId,
  ]);
  const pages: PageAnswer[] = [await admin.get("/users"), await admin.get(`/users/${member.userId}`)];
  for (const page of pages) assert.equal(page.text.includes(String(stored?.password_hash).slice(-20)), false);
  assert.equal((await admin.get("/users?per_page=1&page=2")).text.includes("Bogdan"), true);
});

test("a hostile name is text wherever users are shown", async () => {
  const { tenant, admin } = await workspace();
  for (const text of hostileTexts.filter((text) => !text.includes("\u0007"))) {
    await server.sql("update users set name = $2 where tenant_id = $1", [tenant.id, text]);
    const refused = await admin.post("/users", { email: text, role: text });
    await invite(admin);
    for (const page of [await admin.get("/users"), await admin.get(`/users/${admin.userId}`), refused]) {
      assert.ok(page.text.includes(escaped(text)), text);
      assertHarmless(page.text, text);
    }
  }
});

test("an invited person who cannot sign in yet reads that the account is made, and is led to the sign-in", async () => {
  const { tenant, admin } = await workspace();
  const path = await invite(admin);
  // An operator suspends the workspace while the invitation is being accepted.
  await server.sql(`create function suspend() returns trigger language plpgsql security definer as $$
    begin update public.tenants set suspended_at = now() where id = new.tenant_id; return null; end $$`);
  await server.sql(`create trigger suspend after update of accepted_at on invitations
    for each row when (new.accepted_at is not null) execute function suspend()`);
  const person = visitor(server);
  const made = await person.post(path, accepted);
  await server.sql("drop trigger suspend on invitations");
  assert.deepEqual([made.status, made.location], [303, `/sign-in?workspace=${tenant.slug}`]);
  assert.match((await person.get(String(made.location))).text, /Your account is ready\. Please sign in\./);
});

test("an admin changes the name and the address of a user, which asks, ends the sessions and the links, and is in the history", async () => {
  const { tenant, admin } = await workspace();
  const [email, next] = [`ion@${tenant.slug}.example`, `ion.marin@${tenant.slug}.example`];
  const person = visitor(server);
  await person.post(await invite(admin, { email }), accepted);
  const listed = (await admin.get("/users")).text;
  const [, id] = /href="\/users\/(\d+)">Ion Marin/.exec(listed) ?? [];
  const link = (await admin.post(`/users/${id}/password-link`)).text.match(/\/invitations\/[\w-]{43}/)?.[0] ?? "";
  assert.equal((await visitor(server).get(link)).status, 200);
  await tenant.post("/api/v1/companies", { name: "Given to Ion", assigned_to: Number(id) });
  for (const path of ["/users", "/users?sort=-companies"])
    assert.equal(
      (await admin.get(path)).text.match(/href="\/companies\?assigned_to=\d+">\d+/g)?.join(),
      `href="/companies?assigned_to=${id}">1`,
    );
  assert.match((await admin.get(`/companies?assigned_to=${id}`)).text, /Given to Ion/);
  await server.sql(
    `insert into companies (tenant_id, name, country, assigned_to) select $1, 'Many ' || n, 'Romania', $2
     from generate_series(1, 10000) n`,
    [tenant.id, id],
  );
  assert.match((await admin.get("/users")).text, new RegExp(`assigned_to=${id}">10,000\\+<`));
  const form = { name: "Ion Marin-Pop", email: next, role: "member" };
  for (const [wrong, reason] of [
    [{ ...form, email: "nobody" }, /value="nobody".*E-mail must be an e-mail address/s],
    [{ ...form, name: " " }, /Name is required/],
  ] as const)
    assert.match((await admin.post(`/users/${id}`, wrong)).text, reason);
  const question = await admin.post(`/users/${id}`, form);
  assert.equal(question.status, 200);
  assert.match(question.text, new RegExp(`signs in with ${next}.*1 session will end`, "s"));
  assert.equal((await person.get("/today")).status, 200, "nothing is changed yet");
  const holder = (await admin.get("/profile")).text.match(/[\w.-]+@[\w.-]+\.[a-z]+/)?.[0] ?? "";
  const taken = await admin.post(`/users/${id}`, { ...form, email: holder, confirmed: holder });
  assert.deepEqual([taken.status, /a user with this e-mail address/.test(taken.text)], [422, true]);
  assert.equal((await admin.post(`/users/${id}`, { ...form, confirmed: next })).status, 303);
  assert.equal((await person.get("/today")).status, 303);
  assert.equal((await visitor(server).get(link)).status, 404);
  const signIn = { workspace: tenant.slug, password: accepted.password };
  assert.equal((await visitor(server).post("/sign-in", { ...signIn, email })).status, 422);
  assert.equal((await visitor(server).post("/sign-in", { ...signIn, email: next })).location, "/today");
  assert.match((await admin.get("/history")).text, /Ion Marin-Pop/);
  const own = /href="\/users\/(\d+)">Ana Pop/.exec(listed)?.[1];
  await admin.post(`/users/${own}`, { ...form, role: "admin", confirmed: next });
  assert.match((await admin.get(`/users/${own}`)).text, /Ana Pop/, "the own name is changed in the profile");
});
