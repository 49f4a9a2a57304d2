import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../harness.ts";
import { assertHarmless, escaped, hostileTexts } from "./hostile-texts.ts";
import { signedIn } from "./visitor.ts";

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
  const list = /<ul class="events">([^]*?)<\/ul>/.exec(page)?.[1] ?? "";
  return list
    .split("<li>")
    .slice(1)
    .map((line) =>
      line
        .replaceAll(/<time[^]*?<\/time>|<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

test("a call is logged once: with its note, by whom, and as the contact's last contact", async () => {
  const path = await contact();
  const answer = await member.post(`${path}/activities`, { kind: "call", note: "Wants a price\r\nfor 20." });
  assert.deepEqual([answer.status, answer.location], [303, path]);
  const page = await member.get(path);
  assert.match(page.text, /<div class="notice">Logged\.<\/div>/);
  assert.deepEqual(events(page.text), ["Ana Pop Call Wants a price for 20."]);
  assert.match(page.text, /Wants a price\nfor 20\./);
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
  assert.deepEqual(events((await member.get(path)).text), ["Ana Pop Meeting", "Ana Pop E-mail", "Ana Pop Call"]);
  const inRomanian = await member.get(path, { "accept-language": "ro" });
  assert.deepEqual(events(inRomanian.text), ["Ana Pop Întâlnire", "Ana Pop E-mail", "Ana Pop Apel"]);
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
    Array.from({ length: 45 }, (_, n) => `Ana Pop Call note ${44 - n}.`),
  );
});

test("an invalid activity is refused beside its form, with what was typed, and leaves nothing behind", async () => {
  const path = await contact();
  const before = await stored(path);
  for (const [form, en, ro] of [
    [{ note: "Kept" }, "Kind is required.", "Completați câmpul „Fel”."],
    [
      { kind: "visit", note: "Kept" },
      "Please choose a value for Kind from the list.",
      "Alegeți din listă o valoare pentru „Fel”.",
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
      assert.match(answer.text, /<details class="menu log" open>/);
      assert.match(answer.text, />\nKept/);
    }
  }
  assert.deepEqual(await stored(path), before);
  assert.deepEqual(events((await member.get(path)).text), []);
  assert.equal((await history(path)).length, 1);
});

test("an activity that is logged from the company's page leads back there, and is among what happened", async () => {
  const of = await company();
  const path = await contact(of);
  const before = await member.get(`/companies/${of}`);
  assert.ok(before.text.includes(`<form method="post" action="${path}/activities">`));
  assert.ok(before.text.includes(`<input type="hidden" name="back" value="/companies/${of}">`));
  const answer = await member.post(`${path}/activities`, { kind: "call", note: "Hello", back: `/companies/${of}` });
  assert.equal(answer.location, `/companies/${of}`);
  const page = await member.get(`/companies/${of}`);
  assert.equal(events(page.text)[0], "Ana Pop Call Ion Marin Hello");
});

test("logging an activity leads back to pages of ours alone", async () => {
  const path = await contact();
  for (const back of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""]) {
    assert.equal((await member.post(`${path}/activities`, { kind: "call", back })).location, path, back);
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
    const refused = await member.post(`${path}/activities`, { kind: hostile, note: hostile, back: hostile });
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
