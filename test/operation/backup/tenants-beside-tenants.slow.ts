import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import type { Capability } from "../../../src/people/api-keys/capability.ts";
import { createApiKey } from "../../../src/people/api-keys/create-api-key.ts";
import { saveSettings } from "../../../src/people/single-sign-on/single-sign-on-queries.ts";
import { SECRET_COLUMN } from "../../../src/people/single-sign-on/single-sign-on.ts";
import { findTenant } from "../../../src/people/tenants/tenant-queries.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { createInstallation, requester, type Installation } from "../../cli/installation.ts";
import { unlimited } from "../../harness.ts";
import { miscounted } from "./databases.ts";
import { answersOf, connectedInvoices, createSeeded } from "./seeded.ts";

const source = await createSeeded({
  LIAISON_WMS_URL: "http://{subdomain}.localhost:1/api/v1",
  LIAISON_WORKER: "off",
});
const { json, run, sql, api, dataDir } = source;
const invoices = await connectedInvoices(source, "north");
for (const number of ["Q-1", "Q-2"]) await api("POST", invoices, { number, total: "10.00" });
// Of an order that is through, which nobody asks for any more; and of one that is followed.
const [done, followed] = [
  await api("POST", invoices, { number: "Q-3" }),
  await api("POST", invoices, { number: "Q-4" }),
];
await sql(
  `update invoices set wms_instance = 'north.localhost', wms_order_id = id, wms_status = 'shipped', wms_state = 'sent' where id in ($1, $2)`,
  [done.body.data.id, followed.body.data.id],
);
await sql("update invoices set wms_poll_at = null where id = $1", [done.body.data.id]);
// Due by terms of before, and by none: from before there were terms.
for (const number of ["Q-5", "Q-6"]) await api("POST", invoices, { number, status: "draft", issued_on: "2026-01-01" });
await sql("update invoices set terms_due_on = null where number = 'Q-6'");
await api("PUT", invoices.replace(/\/invoices$/, ""), { terms: { payment_days: 60 } });
// An external id that a deleted company has given up, and another one has.
const identified = { name: "Identified", external: { erp: "E-1" }, callback_date: "2031-12-01" };
const gone = await api("POST", "/api/v1/companies", identified);
await api("DELETE", `/api/v1/companies/${gone.body.data.id}`);
assert.equal((await api("POST", "/api/v1/companies", identified)).status, 201);
// Of jobs that walk a tenant's rows. Each has one row, with the id 0.
await sql("insert into alike_progress (tenant_id) select id from tenants");
await sql("insert into sales_progress (tenant_id, target) select id, 24000 from tenants");
const file = path.join(dataDir, "acme.backup");
const passphraseFile = path.join(dataDir, "passphrase");
fs.writeFileSync(passphraseFile, "a long and secret sentence\n");
const CAPABILITIES: Capability[] = ["companies:read", "contacts:read", "addresses:read", "invoices:read"];

/** The workspace's connection of a tenant, with its key in clear. */
async function workspaceOf({ sql: read, prepare }: Installation, slug: string): Promise<object | null> {
  const [row] = await read(
    `select t.id, w.wms_subdomain as subdomain, w.wms_send_automatically as sends, w.wms_api_key as stored
    from workspace_warehouses w join tenants t on t.id = w.tenant_id where t.slug = $1`,
    [slug],
  );
  if (row === undefined) return null;
  const { id, stored, ...others } = row;
  return await prepare(async ({ keyring }) => ({
    ...others,
    key: keyring.decrypt(asTenantId(String(id)), "workspace_warehouses.wms_api_key", String(stored)),
  }));
}

const WORKSPACES = { subdomain: "south", sends: true, key: "key-9876543210" };

await source.prepare(async ({ database, keyring }) => {
  const acme = await findTenant(database, "acme");
  assert.ok(acme);
  await saveSettings(acme.id, database, {
    issuer: "https://id.example/",
    clientId: "liaison",
    domains: "acme.example",
    scopes: "",
    groupsClaim: "groups",
    trustsAddresses: false,
    admitsDomains: true,
    adminGroup: null,
    by: "command",
    secret: keyring.encrypt(acme.id, SECRET_COLUMN, "secret-of-acme"),
  });
});
// A user without a password, and the only way in.
await sql(
  `with newcomer as (
    insert into users (tenant_id, email, name) select id, 'sso@acme.example', 'Sso' from tenants where slug = 'acme' returning *
  )
  insert into single_sign_on_links (tenant_id, user_id, issuer, subject) select tenant_id, id, 'https://id.example/', 's' from newcomer`,
);
await sql(
  `update single_sign_on s set sso_on = true, sso_only = true, sso_tried_at = now(),
    sso_break_glass = (select min(u.id) from users u where u.tenant_id = s.tenant_id)`,
);

await sql(
  `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, verifies)
   select tenant_id, min(id), 'Laptop', 'credential', 'key', 'handle', 7, true from users group by tenant_id, email
   having email = 'sso@acme.example'`,
);

// The daily mail of a user, and what waits to be mailed: a link, and a reminder.
await sql("update users set digest_since = now() where email = 'sso@acme.example'");
await sql(
  `with mail as (
    insert into mails (tenant_id, kind, email) select id, 'forgotten-password', 'sso@acme.example' from tenants where slug = 'acme' returning *
  )
  insert into reminders (tenant_id, company_id, mail_id, level, changed_by)
  select m.tenant_id, min(c.id), m.id, 1, 'command' from mail m join companies c on c.tenant_id = m.tenant_id group by m.tenant_id, m.id`,
);

// A job that a worker runs.
await sql(
  `insert into jobs (tenant_id, kind, subject, lane, state, worker, lease_until)
   select id, 'of a later release', 1, 'mail', 'running', 'worker', '9999-12-31' from tenants where slug = 'acme'`,
);

/** Whether a tenant has a daily mail, the states of its mails and reminders, and its jobs that run. */
async function mailsOf(read: typeof sql, slug: string): Promise<(string | undefined)[]> {
  const [row] = await read(
    `select (select count(*) from users u where u.tenant_id = t.id and u.digest_since is not null)::text as daily,
      (select string_agg(m.state, ',') from mails m where m.tenant_id = t.id) as mails,
      (select string_agg(r.state, ',') from reminders r where r.tenant_id = t.id) as reminders,
      (select count(*) from jobs j where j.tenant_id = t.id and j.state = 'running')::text as running
    from tenants t where t.slug = $1`,
    [slug],
  );
  return [row?.daily, row?.mails, row?.reminders, row?.running];
}

/** The handles of a tenant's passkeys, by which their authenticators name it. */
async function handlesOf({ sql: read }: Pick<Installation, "sql">, slug: string): Promise<string[]> {
  const rows = await read(
    "select p.user_handle as handle from passkeys p join tenants t on t.id = p.tenant_id where t.slug = $1",
    [slug],
  );
  return rows.map(({ handle }) => String(handle));
}

/** The single sign-on of a tenant, with its secret in clear, and the users who come by it without a password. */
async function singleSignOnOf({ sql: read, prepare }: Installation, slug: string): Promise<object> {
  const [row] = await read(
    `select t.id, s.sso_on as "on", s.sso_only as only, s.sso_client_secret as stored,
      (select string_agg(u.email, ',') from single_sign_on_links l join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
       where l.tenant_id = s.tenant_id and u.password_hash is null) as users
    from single_sign_on s join tenants t on t.id = s.tenant_id where t.slug = $1`,
    [slug],
  );
  const { id, stored, ...others } = row ?? {};
  return await prepare(async ({ keyring }) => ({
    ...others,
    secret: keyring.decrypt(asTenantId(String(id)), SECRET_COLUMN, String(stored)),
  }));
}

const BY_PROVIDER = { on: true, only: true, users: "sso@acme.example", secret: "secret-of-acme" };

/** What stands in a tenant's tables that no answer has. */
async function behind(read: typeof sql, slug: string): Promise<Record<string, string>[]> {
  return await read(
    `select i.number, i.wms_state as state, i.wms_poll_at is not null as polled, i.terms_due_on::text as due,
       c.wms_send_automatically as sends,
       (select string_agg(j.kind, ',' order by j.kind) from jobs j where j.tenant_id = i.tenant_id and j.subject = i.id) as jobs
     from invoices i join companies c on c.tenant_id = i.tenant_id and c.id = i.company_id join tenants t on t.id = i.tenant_id
     where t.slug = $1 and i.number like 'Q-%' order by i.number`,
    [slug],
  );
}

test("a tenant's copy under another slug answers the same, has one history and one count, and sends nothing", async () => {
  const taken = await run(["tenant", "backup", "acme", file]);
  assert.match(taken.stdout, /are in clear in it\.\n$/, taken.stderr);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.ok(zstdDecompressSync(fs.readFileSync(file).subarray(0, -40)).includes("+40 21 3"));
  const others = await answersOf(source.url, source.tokens[1] ?? "");
  const before = await answersOf(source.url, source.tokens[0] ?? "");
  const restored = await run(["tenant", "restore", file, "--as", "copy"]);
  assert.match(restored.stdout, /It sends nothing by itself/, restored.stderr);
  const owner = await source.client();
  assert.deepEqual(await miscounted(owner), []);
  assert.deepEqual(await json(["key", "list", "--tenant", "copy"]), []);
  const key = ["key", "create", "--tenant", "copy", "--name", "Copy", "--capabilities", CAPABILITIES.join(",")];
  const { token } = await json(key);
  // Its keys have no names there, and of invoices that were queued the copy says that they are not sent.
  const alike = (answers: string[]) =>
    answers.map((text) =>
      text.replaceAll('"name":"Shop"', '"name":null').replaceAll(/"wms":\{"state":"(?:queued|failed)".*?\}/g, ""),
    );
  assert.deepEqual(alike(await answersOf(source.url, token)), alike(before));
  assert.deepEqual(await answersOf(source.url, source.tokens[0] ?? ""), before);
  assert.deepEqual(await answersOf(source.url, source.tokens[1] ?? ""), others);
  assert.deepEqual(
    (await behind(sql, "copy")).map(({ number, state, polled, due, sends, jobs }) => [
      number,
      state,
      polled,
      due,
      sends,
      jobs,
    ]),
    [
      ["Q-1", "failed", false, null, false, null],
      ["Q-2", "failed", false, null, false, null],
      ["Q-3", "sent", false, null, false, null],
      ["Q-4", "sent", false, null, false, null],
      ["Q-5", "not_sent", false, "2026-01-31", false, null],
      ["Q-6", "not_sent", false, null, false, null],
    ],
  );
  assert.deepEqual(await workspaceOf(source, "copy"), { ...WORKSPACES, sends: false });
  assert.deepEqual(await mailsOf(sql, "copy"), ["0", "given_up", "unsure", "0"]);
  // Its provider knows no address of the copy, where nobody could come in otherwise.
  assert.deepEqual(await singleSignOnOf(source, "copy"), { ...BY_PROVIDER, on: false, only: false });
  // An authenticator's answer names one of both: the original.
  assert.deepEqual(await handlesOf(source, "acme"), ["handle"]);
  assert.match((await handlesOf(source, "copy")).join(" "), /^[\w-]{43}$/);
  assert.match((await run(["tenant", "restore", file])).stderr, /^There is a tenant "acme" already/);
  const twice = await Promise.all([1, 2].map(async () => await run(["tenant", "restore", file, "--as", "twin"])));
  assert.equal(twice.filter(({ code }) => code === 0).length, 1);
  assert.match(twice.map(({ stderr }) => stderr).join(""), /^There is a tenant "twin" already: name another slug/);
});

test("a tenant that was suspended moves to another instance: its keys, its queue and its ids are as before", async () => {
  await json(["tenant", "suspend", "acme"]);
  const taken = await json(["tenant", "backup", "acme", file, "--passphrase-file", passphraseFile]);
  const before = await behind(sql, "acme");
  const ids = await sql("select max(id) as last from companies");
  await json(["tenant", "resume", "acme"]);
  const answers = await answersOf(source.url, source.tokens[0] ?? "");
  assert.equal(fs.readFileSync(file).includes("+40"), false);

  const target = await createInstallation();
  Object.assign(target.environment, { LIAISON_WORKER: "off" });
  await target.json(["tenant", "create", "first", "--name", "First"]);
  const wrong = path.join(dataDir, "wrong");
  fs.writeFileSync(wrong, "another sentence\n");
  const restore = ["tenant", "restore", file];
  assert.match((await target.run(restore)).stderr, /is encrypted: name the file with its passphrase/);
  assert.match((await target.run([...restore, "--passphrase-file", wrong])).stderr, /^The passphrase is not that of /);
  const restored = await target.json([...restore, "--passphrase-file", passphraseFile]);
  assert.deepEqual(restored, { tenant: "acme", rows: taken.rows });
  await target.json(["tenant", "resume", "acme"]);
  const url = await target.serve();
  assert.deepEqual(await answersOf(url, source.tokens[0] ?? ""), answers);
  assert.deepEqual(await behind(target.sql, "acme"), before);
  assert.deepEqual(await mailsOf(target.sql, "acme"), ["1", "waiting", "waiting", "0"]);
  assert.deepEqual(await workspaceOf(target, "acme"), WORKSPACES);
  assert.deepEqual(await singleSignOnOf(target, "acme"), BY_PROVIDER);
  assert.deepEqual(await handlesOf(target, "acme"), ["handle"]);
  const made = await requester(url, source.tokens[0] ?? "")("POST", "/api/v1/companies", { name: "Since" });
  assert.ok(made.body.data.id > Number(ids[0]?.last), JSON.stringify(made.body));
  assert.deepEqual(await miscounted(await target.client()), []);
});

test("in another instance too, a copy's keys of before are nobody's: a new one is not taken for their maker", async () => {
  const target = await createInstallation();
  await target.json(["tenant", "create", "first", "--name", "First"]);
  await json(["tenant", "backup", "acme", file]);
  const ids = await sql("select max(id) as last from api_keys");
  await target.json(["tenant", "restore", file, "--as", "copy"]);
  const made = await target.prepare(async ({ database }) => {
    const copy = await findTenant(database, "copy");
    if (copy === null) throw new Error("there is no copy");
    const stranger = { name: "Stranger", capabilities: CAPABILITIES, ...unlimited };
    const keys = Array.from({ length: Number(ids[0]?.last) }, async () => {
      return await createApiKey(copy.id, database, copy.slug, stranger);
    });
    return await Promise.all(keys);
  });
  const url = await target.serve();
  const answers = await answersOf(url, made[0]?.token ?? "");
  assert.ok(answers.some((text) => text.includes('"kind":"key"')));
  assert.deepEqual(
    answers.filter((text) => text.includes("Stranger")),
    [],
  );
  assert.ok(made.every(({ id }) => id > Number(ids[0]?.last)));
});
