import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });
const RO = { "accept-language": "ro" };
const { id: company } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;

async function contact(fields: object = {}): Promise<string> {
  const person = { first_name: "Ion", last_name: "Marin", phone: "+40 722 555 011", ...fields };
  return `/contacts/${(await tenant.post(`/api/v1/companies/${company}/contacts`, person)).body.data.id}`;
}

test("an admin sees the effects of an erasure in numbers, before and after it", async () => {
  const path = await contact();
  await tenant.put(`/api/v1${path}`, { notes: "Kept" });
  for (const note of ["Said", ""]) await admin.post(`${path}/activities`, { kind: "note", note: note || "x" });
  await server.sql("update activities set note = null where tenant_id = $1 and note = 'x'", [tenant.id]);
  await tenant.createImport("company_tax_id,first_name,last_name\nRO1,Ion,Marin\n", "contacts");

  const shown = await admin.get(path);
  assert.match(shown.text, new RegExp(`<a class="button danger" href="${path}/erase">Erase for good…</a>`));
  const asked = await admin.get(`${path}/erase`);
  for (const said of [
    "Erase Ion Marin for good?",
    "2 changes in the history will only say who made them and when.",
    "2 activities stay with the company without the name, and 1 note is removed.",
    "The file companies.csv may name this person.",
  ])
    assert.ok(asked.text.includes(said), `${said}\n${asked.text}`);
  assert.equal((await admin.get(path)).status, 200);

  const erased = await admin.post(`${path}/erase`);
  assert.deepEqual([erased.status, erased.location], [303, "/contacts"]);
  assert.match((await admin.get("/contacts")).text, /Erased\. 6 rows were removed or emptied\./);
  assert.equal((await admin.get(path)).status, 404);
  assert.equal((await admin.post(`${path}/erase`)).status, 404);
});

test("the effects of an erasure are shown in numbers in Romanian too", async () => {
  const path = await contact();
  assert.match((await admin.get(path, RO)).text, /Șterge definitiv…/);
  const { text } = await admin.get(`${path}/erase`, RO);
  assert.ok(text.includes("Ștergeți definitiv datele despre Ion Marin?"), text);
  assert.ok(text.includes("În istoric, 1 modificare va spune doar cine a făcut-o și când."), text);
  await admin.post(`${path}/erase`, {}, { "sec-fetch-site": "same-origin", ...RO });
  assert.match((await admin.get("/contacts", RO)).text, /S-a șters definitiv\. 3 rânduri au fost șterse sau golite\./);
});

test("a member is not offered to erase, and may not", async () => {
  const path = await contact();
  assert.doesNotMatch((await member.get(path)).text, /\/erase/);
  assert.equal((await member.get(`${path}/erase`)).status, 403);
  assert.equal((await member.post(`${path}/erase`)).status, 403);
  assert.equal((await tenant.get(`/api/v1${path}`)).status, 200);
});

test("a deleted contact can be erased", async () => {
  const path = await contact();
  await tenant.delete(`/api/v1${path}`);
  assert.equal((await admin.get(`${path}/erase`)).status, 200);
  assert.equal((await admin.post(`${path}/erase`)).status, 303);
});

test("all that is kept about a person comes as a file", async () => {
  const path = await contact({ email: "ion@example.com" });
  await member.post(`${path}/activities`, { kind: "call", note: "Said" });
  assert.match(
    (await member.get(path)).text,
    new RegExp(`<a class="button" href="${path}/export" download>Export all data`),
  );
  const answer = await member.get(`${path}/export`);
  assert.equal(answer.status, 200);
  assert.match(String(answer.headers.get("content-disposition")), /^attachment; filename="contact-\d+\.json"$/);
  const { contact: person, activities, changes, files, ...others } = JSON.parse(answer.text);
  assert.deepEqual([person.full_name, person.phone, person.company.name], ["Ion Marin", "+40 722 555 011", "Acme"]);
  assert.deepEqual(
    activities.map(({ kind, note, by }: Record<string, unknown>) => [kind, note, by]),
    [["call", "Said", { kind: "user", id: member.userId, name: "Ana Pop" }]],
  );
  assert.deepEqual(
    changes.map(({ action }: Record<string, unknown>) => action),
    ["created", "updated"],
  );
  assert.deepEqual(changes[0].changed.email, { from: null, to: "ion@example.com" });
  assert.deepEqual(others, { planned_calls: [], kept_answers: [], imports: [], merged: [] });
  assert.deepEqual(
    files.map((file: Record<string, unknown>) => file.file_name),
    ["companies.csv"],
  );
});

test("the file of a person has what was merged into this person, too", async () => {
  const [kept, from, first] = [await contact(), await contact({ email: "2@example.com" }), await contact()];
  const merge = async (into: string, other: string) =>
    await tenant.post(`/api/v1${into}/merge`, { from: Number(other.split("/").at(-1)) });
  assert.equal((await merge(from, first)).status, 200);
  assert.equal((await merge(kept, from)).status, 200);
  const { contact: person, merged } = JSON.parse((await member.get(`${kept}/export`)).text);
  const idOf = (path: string) => Number(path.split("/").at(-1));
  assert.equal(person.id, idOf(kept));
  const found = merged.map((each: { contact: { id: number; email: string }; changes: unknown[] }) => {
    return [each.contact.id, each.contact.email, each.changes.length > 0];
  });
  assert.deepEqual(
    found.toSorted(([one]: [number], [other]: [number]) => one - other),
    [
      [idOf(from), "2@example.com", true],
      [idOf(first), null, true],
    ],
  );
});

test("the file of a person has all that is theirs, however much it is, and nothing of others", async () => {
  const [path, another] = [await contact(), await contact()];
  const own = Array.from({ length: 9 }, (_, n) => `Own ${n}`);
  for (const text of own) {
    for (const [of, said] of [
      [another, `Not ${text}`],
      [path, text],
    ] as const) {
      const planned = { due_on: "2031-01-09", about: said, contact_id: of.split("/").at(-1) ?? "" };
      assert.equal((await member.post(`/companies/${company}/calls`, planned)).status, 303);
      assert.equal((await member.post(`${of}/activities`, { kind: "note", note: said })).status, 303);
      const keyed = { headers: { "idempotency-key": randomUUID() } };
      assert.equal((await tenant.put(`/api/v1${of}`, { notes: said }, keyed)).status, 200);
    }
  }
  const file = JSON.parse((await member.get(`${path}/export`)).text);
  const texts = {
    calls: file.planned_calls.map((call: { about: string }) => call.about),
    activities: file.activities.map((activity: { note: string }) => activity.note),
    changes: file.changes.slice(1).map((change: { changed: { notes: { to: string } } }) => change.changed.notes.to),
    answers: file.kept_answers.map((answer: { body: { data: { notes: string } } }) => answer.body.data.notes),
  };
  assert.deepEqual(texts, { calls: own, activities: own, changes: own, answers: own });
});

test("the confirmation page shows any name of a person as text", async () => {
  for (const text of hostileTexts) {
    const path = await contact({ first_name: text.slice(0, 100) });
    const page = await admin.get(`${path}/erase`);
    assert.equal(page.status, 200);
    assertHarmless(page.text, text);
  }
});
