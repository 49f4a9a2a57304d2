import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { erasedTables } from "../../../src/exchange/personal-data/erase-contact-queries.ts";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, waitingForLocks, type TestTenant } from "../../harness.ts";
import { untilLetGo, whileHeld } from "../../held.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { tracesOf, type Marks } from "./traces.ts";

/** The promises of docs/contract.md 7.5: an erased person's data is nowhere any more. */
const server = await startServer();
runWorker(server);

const tenant = await server.createTenant();
const COMPANIES = "/api/v1/companies";
const { id: company } = (await tenant.post(COMPANIES, { name: "Acme", tax_id: "RO77" })).body.data;

const marks: Marks = {
  texts: [
    "Zefirina",
    "Quastor",
    "quastor@example.com",
    "Zaffera",
    "Likes quince",
    "Asked for quoins",
    "quartermistress",
  ],
  phones: ["722999517", "722999518", "264999519"],
};
const person = {
  first_name: "Zefirina",
  last_name: "Quastor",
  email: "quastor@example.com",
  phone: "+40 722 999 517",
  notes: "Likes quince",
};
const keyed = () => ({ headers: { "idempotency-key": randomUUID() } });

async function contact(of: TestTenant = tenant, fields: object = person, companyId: number = company) {
  const made = await of.post(`${COMPANIES}/${companyId}/contacts`, fields, keyed());
  assert.equal(made.status, 201, made.text);
  return `/api/v1/contacts/${made.body.data.id}`;
}

/** The changes of a contact as the database has them, the oldest first. */
async function changesOf(path: string): Promise<Record<string, unknown>[]> {
  const id = path.split("/").at(-1);
  return await server.sql(
    `select id, at::text, action, changed, changed_by, company_id from changes
     where tenant_id = $1 and type = 'contact' and resource_id = $2 order by changes.at, id`,
    [tenant.id, id],
  );
}

test("a person from the API and the pages, changed, called and opened, is in no table after an erasure", async () => {
  const member = await signedIn(server, tenant);
  const path = await contact();
  const page = path.replace("/api/v1", "");
  const id = Number(path.split("/").at(-1));
  await tenant.put(path, { first_name: "Zaffera", mobile: "+40 722 999 518", job_title: "quartermistress" }, keyed());
  await tenant.post("/api/v1/contacts/batch", { items: [{ id, phone: "0264 999 519" }] }, keyed());
  await tenant.put(path, { first_name: "Zaffera" }, keyed());
  await tenant.delete(path, keyed());
  await tenant.post(`${path}/restore`, undefined, keyed());
  assert.equal((await member.get(page)).status, 200);
  assert.equal((await member.post(page, { first_name: "Zefirina", notes: "Likes quince jam" })).status, 303);
  assert.equal((await member.post(`${page}/activities`, { kind: "call", note: "Asked for quoins" })).status, 303);
  assert.deepEqual(await tracesOf(server, tenant, marks), ["activities", "changes", "contacts", "kept_answers"]);
  const [before, of] = [await changesOf(path), { tenant_id: tenant.id, by: `user:${member.userId}` }];

  const answer = await tenant.post(`${path}/erase`);
  assert.equal(answer.status, 200, answer.text);
  const told = before.filter(({ changed }) => changed !== "{}").length;
  const made = {
    activities: 1,
    planned_calls: 0,
    kept_answers: 4,
    import_rows: 0,
    last_opened: 1,
    mails: 0,
    merges: 0,
    contacts: 1,
  };
  const erased = { changes: told, ...made };
  assert.deepEqual(answer.body, { erased, merged: [], files: [] });
  assert.deepEqual(await tracesOf(server, tenant, marks), []);

  const left = await changesOf(path);
  const emptied = before.map((change) => ({ ...change, changed: "{}" }));
  assert.deepEqual(left.slice(0, -1), emptied);
  const [key] = await server.sql("select id from api_keys where tenant_id = $1", [of.tenant_id]);
  const { action, changed, changed_by: by } = left.at(-1) ?? {};
  assert.deepEqual([action, changed, by], ["erased", "{}", `key:${String(key?.id)}`]);
  assert.ok(new Set(before.map((change) => change.changed_by)).has(of.by));
  const [activity] = await server.sql(
    "select kind, note, contact_id, changed_by from activities where tenant_id = $1",
    [tenant.id],
  );
  assert.deepEqual(activity, { kind: "call", note: null, contact_id: null, changed_by: of.by });
  assert.equal((await member.get(page)).status, 404);
  assert.match((await member.get(`/history?company=${company}`)).text, /erased the data of/);
});

test("an imported person stays only in the import's file, which the receipt names", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await tenant.post(COMPANIES, { name: "Acme", tax_id: "RO77" });
  const csv = `company_tax_id,first_name,last_name,email,phone,notes\n${["RO77", ...Object.values(person)].join(",")}\n`;
  const path = await imported(`${csv}RO77,Ion,Marin,quastor@,,\n`, "people.csv");
  const [made] = await server.sql("select id from contacts where tenant_id = $1 and email = $2", [
    tenant.id,
    person.email,
  ]);
  await tenant.put(`/api/v1/contacts/${String(made?.id)}`, { notes: "Likes quince jam" });
  const others = await imported(csv.split("\n")[0] + "\nRO77,Ion,Marin,,,\n", "others.csv");
  assert.notEqual(path, others);

  const { body } = await tenant.post(`/api/v1/contacts/${String(made?.id)}/erase`);
  assert.deepEqual(await tracesOf(server, tenant, marks), ["import_chunks"]);
  assert.deepEqual(body.erased, {
    changes: 2,
    activities: 0,
    planned_calls: 0,
    kept_answers: 0,
    import_rows: 1,
    last_opened: 0,
    mails: 0,
    merges: 0,
    contacts: 1,
  });
  const [file, ...more] = body.files;
  assert.deepEqual(more, []);
  assert.deepEqual([file.import_id, file.file_name], [Number(path.split("/").at(-1)), "people.csv"]);
  assert.ok(Date.parse(file.kept_until) > Date.now() + 29 * 86_400_000);
  const undone = await member.post(`${path}/undo`);
  assert.equal(undone.status, 303);
  await settled(path);
  assert.deepEqual(await tracesOf(server, tenant, marks), []);

  async function imported(content: string, name: string): Promise<string> {
    const { location } = await member.upload("/imports", { kind: "contacts" }, { [name]: content });
    await settled(String(location));
    await member.post(`${location}/start`);
    await settled(String(location));
    return String(location);
  }

  async function settled(at: string): Promise<void> {
    await poll("the end of the import's job", async () => !(await member.get(at)).text.includes("data-refresh"));
  }
});

test("the file of an import that was not made yet is named too: nobody knows whose its rows are", async () => {
  const tenant = await server.createTenant();
  const { id: company } = (await tenant.post(COMPANIES, { name: "Acme" })).body.data;
  const path = await contact(tenant, person, company);
  const waiting = await tenant.createImport("company_tax_id,first_name,last_name\nRO1,Ion,Marin\n", "contacts");
  await tenant.createImport("name\nAcme\n", "companies");
  const { body } = await tenant.post(`${path}/erase`);
  assert.deepEqual(
    body.files.map(({ import_id: id }: { import_id: number }) => String(id)),
    [waiting],
  );
});

test("a deleted contact is erased, and one of a deleted company; a second erasure finds nobody, and neither does a restore", async () => {
  const { id: gone } = (await tenant.post(COMPANIES, { name: "Gone" })).body.data;
  const [deleted, ofDeleted] = [await contact(), await contact(tenant, person, gone)];
  await tenant.delete(deleted);
  await tenant.delete(`${COMPANIES}/${gone}`);
  for (const path of [deleted, ofDeleted]) {
    assert.equal((await tenant.post(`${path}/erase`)).status, 200);
    for (const again of ["erase", "restore"]) assert.equal((await tenant.post(`${path}/${again}`)).status, 404);
    assert.equal((await tenant.get(path)).status, 404);
    assert.equal((await tenant.get(`${path}/history`)).status, 404);
  }
  await tenant.post(`${COMPANIES}/${gone}/restore`);
  assert.equal((await tenant.get(`${COMPANIES}/${gone}/contacts`)).body.total, 0);
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("a request that made the person makes nobody when it comes again: its key is used, and the person is missing", async () => {
  const options = keyed();
  const made = await tenant.post(`${COMPANIES}/${company}/contacts`, person, options);
  const { id } = made.body.data;
  assert.equal((await tenant.post(`/api/v1/contacts/${id}/erase`)).status, 200);
  const again = await tenant.post(`${COMPANIES}/${company}/contacts`, person, options);
  assert.deepEqual([again.status, again.body], [404, { message: `No query results for model [Contact] ${id}` }]);
  assert.equal(again.headers.get("x-error-code"), "resource_missing");
  const reused = await tenant.post(`${COMPANIES}/${company}/contacts`, { ...person, notes: null }, options);
  assert.equal(reused.headers.get("x-error-code"), "idempotency_key_reused");
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("what others write of the person at the same moment is erased with the rest, or is refused", async () => {
  const path = await contact();
  const id = path.split("/").at(-1);
  const held = `select from contacts where tenant_id = ${tenant.id} and id = ${id} for update`;
  const answers = await whileHeld(server, held, async () =>
    Promise.all([
      tenant.put(path, { first_name: "Zaffera" }, keyed()),
      tenant.post(`${path}/erase`),
      tenant.put(path, { notes: "Likes quince jam" }, keyed()),
    ]),
  );
  assert.equal(answers[1]?.status, 200, answers[1]?.text);
  for (const { status } of answers) assert.ok(status === 200 || status === 404, String(status));
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("an activity that is logged while its contact is erased is refused, and nothing that was typed is stored", async () => {
  const member = await signedIn(server, tenant);
  const path = await contact();
  const id = path.split("/").at(-1);
  const said = { kind: "call", note: "Asked for quoins" };
  assert.equal((await member.post(`${path.replace("/api/v1", "")}/activities`, said)).status, 303);
  const held = `select from activities where tenant_id = ${tenant.id} and contact_id = ${id} for update`;
  await untilLetGo(server, held, async (letGo) => {
    const erasing = tenant.post(`${path}/erase`);
    await server.untilWaiting(1);
    const logging = member.post(`/companies/${company}/activities`, { ...said, contact_id: String(id) });
    await server.untilWaiting(2);
    await letGo();
    assert.equal((await erasing).status, 200);
    const { status, text } = await logging;
    assert.equal(status, 422);
    assert.match(text, /Please choose a value for With from the list\./);
  });
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("a contact that is merged into one while that one is erased is the same person, and erased too", async () => {
  const [path, other] = [await contact(), await contact()];
  const [id, from] = [path, other].map((each) => Number(each.split("/").at(-1)));
  const held = `select from contacts where tenant_id = ${tenant.id} and id = ${id} for update`;
  await untilLetGo(server, held, async (letGo) => {
    const merging = tenant.post(`${path}/merge`, { from });
    await server.untilWaiting(1);
    const erasing = tenant.post(`${path}/erase`);
    await server.untilWaiting(2);
    await letGo();
    assert.deepEqual([(await merging).status, (await erasing).status], [200, 200]);
    assert.deepEqual((await erasing).body.merged, [from], "an older backup has it as a contact of its own");
  });
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("a contact that is merged into another while it is erased leads to that one, and nothing is erased", async () => {
  const [path, other] = [await contact(), await contact()];
  const [id, into] = [path, other].map((each) => Number(each.split("/").at(-1)));
  const held = `select from contacts where tenant_id = ${tenant.id} and id = ${id} for update`;
  await untilLetGo(server, held, async (letGo) => {
    const merging = tenant.post(`${other}/merge`, { from: id });
    await server.untilWaiting(1);
    const erasing = tenant.post(`${path}/erase`);
    await server.untilWaiting(2);
    await letGo();
    assert.equal((await merging).status, 200);
    const { status, headers } = await erasing;
    assert.deepEqual([status, headers.get("x-merged-into")], [404, String(into)]);
  });
  const { body } = await tenant.post(`${other}/erase`);
  assert.deepEqual([body.merged, await tracesOf(server, tenant, marks)], [[id], []]);
});

test("mails to an earlier address of an erased person go too, and those to an address that others have stay", async () => {
  const own = await server.createTenant();
  const shared = ["office@acme.example", "both@acme.example"];
  const { id: acme } = (await own.post(COMPANIES, { name: "Acme", email: shared[0] })).body.data;
  const path = await contact(own, { ...person, email: "old@acme.example" }, acme);
  await contact(own, { first_name: "Ana", last_name: "Pop", email: shared[1]?.toUpperCase() }, acme);
  for (const email of [...shared, "new@acme.example"]) assert.equal((await own.put(path, { email })).status, 200);
  const mailed = [...shared, "Old@acme.example", "new@acme.example", "stranger@acme.example"];
  await server.sql(
    "insert into mails (tenant_id, kind, email, state) select $1, 'invoice', m, 'sent' from unnest($2::text[]) m",
    [own.id, mailed],
  );
  const { body } = await own.post(`${path}/erase`);
  const left = await server.sql("select email from mails where tenant_id = $1 order by id", [own.id]);
  assert.deepEqual([body.erased.mails, left.map(({ email }) => email)], [2, [...shared, "stranger@acme.example"]]);
});

test("an erasure that is cut off in its middle has done nothing, and is done when it is asked for again", async () => {
  const path = await contact();
  const id = path.split("/").at(-1);
  await server.sql(
    `insert into activities (tenant_id, company_id, contact_id, at, kind, note, changed_by)
     values ($1, $2, $3, now(), 'note', 'Asked for quoins', 'command')`,
    [tenant.id, company, id],
  );
  const before = [await tracesOf(server, tenant, marks), await changesOf(path)];
  const held = `select from activities where tenant_id = ${tenant.id} and contact_id = ${id} for update`;
  await untilLetGo(server, held, async () => {
    const answer = tenant.post(`${path}/erase`);
    await server.untilWaiting(1);
    await server.sql(`select pg_terminate_backend(pid) from (${waitingForLocks}) waiting`);
    assert.equal((await answer).status, 503);
    assert.deepEqual([await tracesOf(server, tenant, marks), await changesOf(path)], before);
  });
  assert.equal((await tenant.post(`${path}/erase`)).status, 200);
  assert.deepEqual(await tracesOf(server, tenant, marks), []);
});

test("an erasure leaves all that is stored of other contacts, and of other tenants', as it is", async () => {
  const others = [await personWithAll(), await personWithAll()];
  const before = await storedRows();
  const { own, id } = await personWithAll(others[0]);
  await server.sql(
    "insert into merges (tenant_id, type, kept_id, from_id, merged_by) values ($1, 'company', $2, $2, '')",
    [own.id, id],
  );
  assert.equal((await own.post(`/api/v1/contacts/${id}/erase`)).status, 200);
  assert.equal((await own.post(`/api/v1/contacts/${others[1]?.id}/erase`)).status, 404);
  const after = new Set(await storedRows());
  assert.deepEqual(
    before.filter((row) => !after.has(row)),
    [],
  );
  const left = await server.sql("select type from merges where tenant_id = $1 and kept_id = $2", [own.id, id]);
  assert.deepEqual(left, [{ type: "company" }]);
});

/** Everything that may name a person, as text. */
async function storedRows(): Promise<string[]> {
  const tables = [...erasedTables.filter((table) => table !== "import_rows"), "reminders"];
  const rows = tables.map((table) => `select '${table} ' || to_jsonb(t)::text as row from ${table} t`);
  return (await server.sql(rows.join(" union all "))).map(({ row }) => String(row));
}

type Person = { own: TestTenant; member: Visitor; id: number };

/** A person of whom each of these tables has something, with others of one tenant if they are given. */
async function personWithAll(others?: Person): Promise<Person> {
  const own = others?.own ?? (await server.createTenant());
  const member = others?.member ?? (await signedIn(server, own));
  const { id: company } = (await own.post(COMPANIES, { name: "Acme" })).body.data;
  const email = `${randomUUID()}@example.com`;
  const [path, from] = [await contact(own, { ...person, email }, company), await contact(own, person, company)];
  const [id = "", fromId = ""] = [path, from].map((each) => each.split("/").at(-1));
  await own.put(path, { notes: "Likes quince jam" }, keyed());
  assert.equal((await own.post(`${path}/merge`, { from: Number(fromId) })).status, 200);
  assert.equal((await member.get(path.replace("/api/v1", ""))).status, 200);
  for (const [what, fields] of [
    ["activities", { kind: "call", note: "Asked for quoins" }],
    ["calls", { due_on: "2031-01-09", about: "Quoins" }],
  ] as const) {
    assert.equal((await member.post(`/companies/${company}/${what}`, { ...fields, contact_id: id })).status, 303);
  }
  await server.sql(
    `with mail as (insert into mails (tenant_id, kind, email, details, state)
       select $1, kind, $4, 'x', 'given_up' from unnest(array['invoice', 'reminder']) k (kind) returning tenant_id, kind, id)
     insert into reminders (tenant_id, company_id, contact_id, mail_id, level, state, changed_by)
     select tenant_id, $2, $3, id, 1, 'waiting', 'user:1' from mail where kind = 'reminder'`,
    [own.id, company, id, email],
  );
  return { own, member, id: Number(id) };
}
