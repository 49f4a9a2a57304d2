import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });
const RO = { "sec-fetch-site": "same-origin", "accept-language": "ro" };

const company = async (of: TestTenant = tenant) =>
  (await of.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;

async function contact(companyId?: number): Promise<string> {
  const of = companyId ?? (await company());
  const form = { first_name: "Ion", last_name: "Marin" };
  return `/contacts/${(await tenant.post(`/api/v1/companies/${of}/contacts`, form)).body.data.id}`;
}

const stored = async (path: string) => (await tenant.get(`/api/v1${path}`)).body.data;
const history = async (path: string) => (await tenant.get(`/api/v1${path}/history`)).body.data;

/** The events of a page, as a person reads them. */
function events(page: string): string[] {
  return page
    .split(/<li>(?=<time)/)
    .slice(1)
    .map((line) =>
      (line.split(/<\/ul>\s*(?:<div class="old"|<h3|<\/div>|<\/section|<p\b)/)[0] ?? "")
        .replaceAll(/<time[^]*?<\/time>|<b class="initials"[^]*?<\/b>|<a class="mend"[^]*?<\/a>|<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

/** The id of the activity on top of a page that its visitor wrote. */
const ownId = (page: string) => /href="\/activities\/(\d+)"/.exec(page)?.[1] ?? "";

test("a call is logged once: with its note, by whom, and as the contact's last contact", async () => {
  const path = await contact();
  const answer = await member.post(`${path}/activities`, { kind: "call", note: "Wants a price\r\nfor 20." });
  assert.deepEqual([answer.status, answer.location], [303, path]);
  const page = await member.get(path);
  assert.match(page.text, /<div class="notice good">Logged\./);
  assert.deepEqual(events(page.text), ["Ana Pop called Wants a price for 20."]);
  assert.match(page.text, /Wants a price\nfor 20\./);
  assert.match(page.text, /#phone" \/><\/svg><b class="initials" aria-hidden="true">AP<\/b>/);
  const { last_contacted_at: at } = await stored(path);
  const rows = await server.sql(
    `select kind, note, changed_by, company_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from activities where tenant_id = $1 and contact_id = $2`,
    [tenant.id, path.split("/")[2]],
  );
  assert.equal(rows.length, 1);
  assert.deepEqual(rows[0], {
    kind: "call",
    note: "Wants a price\nfor 20.",
    changed_by: `user:${member.userId}`,
    company_id: String((await stored(path)).company_id),
    at,
  });
  const [latest, ...others] = await history(path);
  assert.deepEqual(latest.changed, { last_contacted_at: { from: null, to: at } });
  assert.deepEqual([latest.action, latest.by.name, others.length], ["updated", "Ana Pop", 1]);
});

test("the latest activity stands first, and each moves the contact's last contact on", async () => {
  const path = await contact();
  const moments: string[] = [];
  for (const kind of ["call", "email", "meeting"]) {
    assert.equal((await member.post(`${path}/activities`, { kind })).status, 303);
    moments.push((await stored(path)).last_contacted_at);
  }
  assert.deepEqual(moments, moments.toSorted());
  assert.equal(new Set(moments).size, 3);
  assert.deepEqual(events((await member.get(path)).text), [
    "Ana Pop had a meeting",
    "Ana Pop sent an e-mail",
    "Ana Pop called",
  ]);
  const inRomanian = await member.get(path, { "accept-language": "ro" });
  assert.deepEqual(events(inRomanian.text), [
    "Ana Pop a avut o întâlnire",
    "Ana Pop a trimis un e-mail",
    "Ana Pop a telefonat",
  ]);
});

test("a contact whose last contact is ahead, by another machine's clock, is contacted later still", async () => {
  const path = await contact();
  await server.sql("update contacts set last_contacted_at = '2100-01-01' where tenant_id = $1 and id = $2", [
    tenant.id,
    path.split("/")[2],
  ]);
  await member.post(`${path}/activities`, { kind: "call" });
  assert.equal((await stored(path)).last_contacted_at, "2100-01-01T00:00:00.000001Z");
});

test("many activities are shown page after page, each once", async () => {
  const path = await contact();
  for (let n = 0; n < 45; n++) await member.post(`${path}/activities`, { kind: "call", note: `note ${n}.` });
  const seen: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const page = await member.get(next);
    seen.push(...events(page.text));
    const older = /<a href="(\?before=[^"]+)">Older ones/.exec(page.text)?.[1];
    next = older === undefined ? undefined : `${path}${older}`;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, n) => `Ana Pop called note ${44 - n}.`),
  );
});

test("an invalid activity is refused beside its form, with what was typed, and leaves nothing behind", async () => {
  const path = await contact();
  const before = await stored(path);
  for (const [form, en, ro] of [
    [{ note: "Kept" }, "Kind is required.", "Completați câmpul „Tip”."],
    [
      { kind: "visit", note: "Kept" },
      "Please choose a value for Kind from the list.",
      "Alegeți din listă o valoare pentru „Tip”.",
    ],
    [
      { kind: "call", note: `Kept${"x".repeat(4_000)}` },
      "Note can have at most 4,000 characters.",
      "„Notă” poate avea cel mult 4.000 de caractere.",
    ],
  ] as const) {
    for (const [headers, message] of [
      [undefined, en],
      [RO, ro],
    ] as const) {
      const answer = await member.post(`${path}/activities`, form, headers);
      assert.equal(answer.status, 422);
      assert.ok(answer.text.includes(`<p class="error" role="alert">${escaped(message)}</p>`), message);
      assert.match(answer.text, />\nKept/);
    }
  }
  assert.deepEqual(await stored(path), before);
  assert.deepEqual(events((await member.get(path)).text), []);
  assert.equal((await history(path)).length, 1);
});

test("Log in a contact's row opens the form of the company's page, with this contact chosen", async () => {
  const of = await company();
  const path = await contact(of);
  const id = path.split("/")[2];
  const row = `href="/companies/${of}?with=${id}#log"`;
  assert.ok((await member.get(`/companies/${of}`)).text.includes(`${row} data-swap="log" data-focus="note"`));
  assert.ok((await member.get(`/companies/${of}/contacts`)).text.includes(`${row}>`));
  const { text } = await member.get(`/companies/${of}?with=${id}`);
  assert.match(text, new RegExp(`<option value="${id}" selected>Ion Marin`));
  assert.match(text, /<input type="radio" name="kind" value="note" checked>/);
  const logged = await member.post(`/companies/${of}/activities`, {
    kind: "call",
    note: "Hello",
    contact_id: id ?? "",
  });
  assert.equal(logged.location, `/companies/${of}`);
  assert.equal(events((await member.get(path)).text)[0], "Ana Pop called Hello");
});

test("the contact is chosen though fifty others come first, and one of another company is not", async () => {
  const of = await company();
  const path = await contact(of);
  const id = path.split("/")[2];
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name, is_primary)
     select $1, $2, 'Other', 'Person ' || n, true from generate_series(1, 60) n`,
    [tenant.id, of],
  );
  const choice = new RegExp(`<option value="${id}" selected>`);
  assert.match((await member.get(`/companies/${of}?with=${id}`)).text, choice);
  assert.doesNotMatch((await member.get(`/companies/${await company()}?with=${id}`)).text, choice);
  for (const hostile of hostileTexts) {
    const answer = await member.get(`/companies/${of}?with=${encodeURIComponent(hostile)}`);
    assert.equal(answer.status, 200);
    assertHarmless(answer.text, hostile);
  }
});

test("no note runs a script, wherever it is shown", async () => {
  const of = await company();
  const path = await contact(of);
  for (const hostile of hostileTexts) {
    await member.post(`${path}/activities`, { kind: "call", note: hostile });
    for (const page of [path, `/companies/${of}`, `/companies/${of}/contacts`]) {
      const answer = await member.get(page);
      assertHarmless(answer.text, `${page} ${hostile}`);
      if (page === path) assert.ok(answer.text.includes(escaped(hostile)), hostile);
    }
    const refused = await member.post(`${path}/activities`, { kind: hostile, note: hostile });
    assert.equal(refused.status, 422);
    assertHarmless(refused.text, hostile);
  }
});

test("nothing is logged of a contact that is deleted, whose company is, or who is another tenant's", async () => {
  const [deleted, orphan, live] = [await contact(), await contact(), await contact()];
  await tenant.delete(`/api/v1${deleted}`);
  await tenant.delete(`/api/v1/companies/${(await stored(orphan)).company_id}`);
  const stranger = await signedIn(server, await server.createTenant());
  for (const [who, path] of [
    [member, deleted],
    [member, orphan],
    [stranger, live],
    [member, "/contacts/999999999"],
    [member, "/contacts/x"],
  ] as const) {
    assert.equal((await who.post(`${path}/activities`, { kind: "call" })).status, 404);
    assert.equal((await who.post(`${path}/activities`, {})).status, 404);
  }
  const ids = [deleted, orphan, live].map((path) => path.split("/")[2]);
  assert.deepEqual(await server.sql("select * from activities where contact_id = any($1)", [ids]), []);
});

test("of calls that are logged at the same moment none is lost", async () => {
  const path = await contact();
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => await member.post(`${path}/activities`, { kind: "call", note: `${n}` })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal(events((await member.get(path)).text).length, 8);
  assert.equal((await history(path)).length, 9);
});

const stamp = (text: string) => new Date(text).toISOString();
const activitiesOf = async (companyId: number) =>
  await server.sql(
    "select kind, note, contact_id, at, changed_by from activities where tenant_id = $1 and company_id = $2 order by at desc, id desc",
    [tenant.id, companyId],
  );

test("a company without contacts takes a note and a call, and the next call is arranged with them", async () => {
  const id = await company();
  const path = `/companies/${id}`;
  const noted = await member.post(`${path}/activities`, { kind: "note", note: "Closed in August", callback_date: "" });
  assert.deepEqual([noted.status, noted.location], [303, path]);
  const called = await member.post(`${path}/activities`, { kind: "call", callback_date: "2026-12-02" });
  assert.equal(called.status, 303);
  assert.deepEqual(events((await member.get(path)).text).slice(0, 2), [
    "Ana Pop called Call back on 2 Dec 2026",
    "Ana Pop wrote a note Closed in August",
  ]);
  assert.equal((await stored(path)).callback_date, "2026-12-02");
  const [row] = await server.sql("select last_contacted_at from companies where tenant_id = $1 and id = $2", [
    tenant.id,
    id,
  ]);
  const [call] = await activitiesOf(id);
  assert.deepEqual(row?.last_contacted_at, call?.at, "the call, and not the note, is the last contact");
});

test("what happened at another time stands at its time by the workspace's clock, and moves no later contact back", async () => {
  const id = await company();
  const path = await contact(id);
  const contactId = path.split("/")[2] ?? "";
  const log = async (form: Record<string, string>) =>
    assert.equal((await member.post(`/companies/${id}/activities`, { contact_id: contactId, ...form })).status, 303);
  await log({ kind: "meeting", at: "2026-07-01T14:30" });
  assert.equal(stamp((await stored(path)).last_contacted_at), "2026-07-01T11:30:00.000Z");
  await log({ kind: "call", at: "2026-01-15T09:00" });
  await log({ kind: "email", at: "2100-01-01T09:00" });
  assert.equal(stamp((await stored(path)).last_contacted_at), "2026-07-01T11:30:00.000Z");
  const page = (await member.get(`/companies/${id}`)).text;
  assert.deepEqual(
    [...page.matchAll(/<h3 class="day">([^<]+)<\/h3>/g)].map(([, day]) => day).filter((day) => day !== "Today"),
    ["1 Jan 2100", "1 Jul 2026", "15 Jan 2026"],
  );
  assert.match(page, /title="1 Jul 2026, 14:30">14:30<\/time>/);
});

test("a company's composer refuses what is wrong in place, and keeps what was typed", async () => {
  const id = await company();
  const theirs = (await contact()).split("/")[2] ?? "";
  for (const [form, message] of [
    [{ kind: "note", note: "" }, "Note is required."],
    [{ kind: "call", note: "Kept", contact_id: theirs }, "Please choose a value for With from the list."],
    [{ kind: "call", note: "Kept", at: "yesterday" }, "When must be a day that exists, such as 2026-12-01."],
    [{ kind: "call", note: "Kept", callback_date: "2026-02-30" }, "Call back on must be a day that exists"],
  ] as const) {
    const answer = await member.post(`/companies/${id}/activities`, form);
    assert.equal(answer.status, 422);
    assert.ok(answer.text.includes(message), message);
    if (form.note !== "") assert.match(answer.text, /<textarea id="note"[^>]*>\nKept/);
  }
  assert.deepEqual(await activitiesOf(id), []);
  assert.equal((await stored(`/companies/${id}`)).callback_date, null);
});

test("who wrote an activity mends it and takes it back, and the last contact follows", async () => {
  const id = await company();
  const path = await contact(id);
  const contactId = path.split("/")[2] ?? "";
  const lastContact = async () => (await stored(path)).last_contacted_at as string | null;
  await member.post(`/companies/${id}/activities`, { kind: "call", contact_id: contactId, at: "2026-03-02T10:00" });
  await member.post(`${path}/activities`, { kind: "call", note: "Wrong" });
  const now = await lastContact();
  const own = ownId((await member.get(path)).text);
  const form = (await member.get(`/activities/${own}`)).text;
  const at = /name="at" value="([^"]+)"/.exec(form)?.[1] ?? "";
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  const mended = await member.post(`/activities/${own}`, { kind: "email", note: "Right", contact_id: contactId, at });
  assert.deepEqual([mended.status, mended.location], [303, `/companies/${id}`]);
  assert.equal(await lastContact(), now, "the moment that was not touched stays to the microsecond");
  assert.equal(events((await member.get(path)).text)[0], "Ana Pop sent an e-mail Right");
  await member.post(`/activities/${own}`, { kind: "note", note: "Only a thought", contact_id: contactId, at });
  assert.equal(stamp(String(await lastContact())), "2026-03-02T08:00:00.000Z");
  await member.post(`/activities/${own}`, { kind: "call", contact_id: contactId, at: "2026-03-05T10:00" });
  assert.equal(stamp(String(await lastContact())), "2026-03-05T08:00:00.000Z");
  const deleted = await member.post(`/activities/${own}/delete`);
  assert.deepEqual([deleted.status, deleted.location], [303, `/companies/${id}`]);
  assert.equal(stamp(String(await lastContact())), "2026-03-02T08:00:00.000Z");
  assert.equal((await member.post(`/activities/${own}/delete`)).status, 404);
});

test("a meeting that lies ahead is no contact, nor when it is mended without its time", async () => {
  const id = await company();
  const path = await contact(id);
  await member.post(`${path}/activities`, { kind: "meeting", note: "Planned", at: "2031-03-02T10:00" });
  const own = ownId((await member.get(path)).text);
  const contact_id = path.split("/")[2] ?? "";
  assert.equal((await member.post(`/activities/${own}`, { kind: "call", contact_id, at: "" })).status, 303);
  assert.equal((await stored(path)).last_contacted_at, null);
});

test("nobody but its writer mends or deletes an activity, an admin neither", async () => {
  const path = await contact();
  await member.post(`${path}/activities`, { kind: "call", note: "Mine" });
  const own = ownId((await member.get(path)).text);
  const admin = await signedIn(server, tenant, { role: "admin", name: "Dan Admin" });
  const stranger = await signedIn(server, await server.createTenant());
  assert.equal(ownId((await admin.get(path)).text), "");
  for (const who of [admin, stranger]) {
    assert.equal((await who.get(`/activities/${own}`)).status, 404);
    assert.equal((await who.post(`/activities/${own}`, { kind: "note", note: "Theirs" })).status, 404);
    assert.equal((await who.post(`/activities/${own}`, {})).status, 404);
    assert.equal((await who.post(`/activities/${own}/delete`)).status, 404);
  }
  assert.deepEqual(events((await member.get(path)).text), ["Ana Pop called Mine"]);
});

test("of a shipment's news one line is left, with all of it behind", async () => {
  const id = await company();
  const invoices = [];
  for (const number of ["S-1", "S-2"]) {
    invoices.push((await tenant.post(`/api/v1/companies/${id}/invoices`, { number })).body.data.id);
  }
  for (const [place, status] of ["new", "picking", "shipped"].entries()) {
    for (const invoice of invoices) {
      await server.sql(
        `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
         values ($1, now() + $2 * interval '1 second', 'invoice', $3, $4, 'updated', $5, 'worker')`,
        [tenant.id, place, invoice, id, JSON.stringify({ wms_status: { from: null, to: status } })],
      );
    }
  }
  const [latest = ""] = (await member.get(`/companies/${id}`)).text.split('<ul class="events">').slice(1);
  assert.match(latest, /<summary>Shipped: S-[12], S-[12] · 6 changes<\/summary>/);
});

test("a call that somebody received says who called, and has the same effects as a call made", async () => {
  const of = await company();
  const path = await contact(of);
  await member.post(`${path}/activities`, { kind: "call_in", note: "Asks for a price" });
  await member.post(`/companies/${of}/activities`, { kind: "call_in", note: "Where is it?" });
  assert.deepEqual(events((await member.get(path)).text), ["Ana Pop took a call Asks for a price"]);
  const ofCompany = events((await member.get(`/companies/${of}?activity=said`)).text);
  assert.deepEqual(ofCompany, [
    "Ana Pop took a call Where is it?",
    "Ana Pop took a call from Ion Marin Asks for a price",
  ]);
  const everywhere = (await member.get("/history?type=call_in", { "accept-language": "ro" })).text;
  assert.deepEqual(events(everywhere).slice(0, 2), [
    "Ana Pop a primit un apel de la Acme Where is it?",
    "Ana Pop a primit un apel de la Ion Marin la Acme Asks for a price",
  ]);
  assert.ok((await stored(path)).last_contacted_at);
});
