import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import type { Trailer } from "../../../src/operation/backup/backup-format.ts";
import { contentReader } from "../../../src/operation/backup/content-reader.ts";
import { restoreTenant } from "../../../src/operation/backup/tenant/restore-tenant.ts";
import { storedFields, uncheckedTables } from "../../../src/operation/backup/tenant/stored-fields.ts";
import { tenantTables } from "../../../src/operation/backup/tenant/tenant-tables.ts";
import { jsonLine, partLines, writeBackup } from "../../../src/operation/backup/write-backup.ts";
import { lineOf, valuesOf } from "../../../src/platform/postgres/copy-lines.ts";
import { onSnapshot } from "../../../src/platform/postgres/snapshot.ts";
import type { StoredTable } from "../../../src/platform/postgres/stored-tables.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { Refusal } from "../../../src/platform/refusal.ts";
import { createSeeded } from "./seeded.ts";

/**
 * A tenant's file may be anybody's: what Liaison would not have written is refused in one line, and nothing of it is
 * there.
 */
const NEVER = new AbortController().signal;
const { json, run, sql, prepare, dataDir } = await createSeeded();
const [acme] = await sql("select id from tenants where slug = 'acme'");
const activity = `insert into activities (tenant_id, company_id, contact_id, at, kind, note, changed_by)
  select k.tenant_id, k.company_id, k.id, now(), 'call', 'said', 'command' from contacts k where k.tenant_id = $1`;
await sql(activity, [acme?.id]);
const secret = await prepare(async ({ keyring }) =>
  keyring.encrypt(asTenantId(String(acme?.id)), "webhooks.secret", "s"),
);
await sql(
  `insert into webhooks (tenant_id, url, types, active, secret, position, round, created_at, updated_at)
   values ($1, 'https://erp.example/hook', '["company.of_before"]', false, $2, 0, 1, now(), now())`,
  [acme?.id, secret],
);
for (const table of ["offers", "deals", "tickets", "subscriptions"]) {
  await sql(
    `insert into ${table} (tenant_id, company_id, number, amount, starts_on) select tenant_id, id, 'R-1', 12.50, '2026-01-31'
     from companies where tenant_id = $1 and deleted_at is null`,
    [acme?.id],
  );
}
const [ana] = await sql("select id from users where tenant_id = $1", [acme?.id]);
for (const statement of [
  `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on)
   select tenant_id, company_id, id, 1, '2026-01-31' from invoices where tenant_id = $1`,
  `insert into promises (tenant_id, company_id, until, changed_by)
   select tenant_id, id, '2026-01-31', 'command' from companies where tenant_id = $1`,
  "insert into workspace_details (tenant_id) values ($1)",
  `insert into invitations (tenant_id, email, role, token_hash, created_at, expires_at, accepted_at)
   values ($1, 'ion@example.com', 'member', 'x', now(), now(), now())`,
  "insert into list_columns (tenant_id, user_id, list, columns) values ($1, $2, 'companies', '{city}')",
]) {
  await sql(statement, statement.includes("$2") ? [acme?.id, ana?.id] : [acme?.id]);
}
await sql("insert into list_views (tenant_id, user_id, name, filters) values ($1, $2, 'Turda', 'city=Turda')", [
  acme?.id,
  ana?.id,
]);
const oidcSecret = await prepare(async ({ keyring }) =>
  keyring.encrypt(asTenantId(String(acme?.id)), "single_sign_on.sso_client_secret", "s"),
);
await sql(
  "insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret) values ($1, 'https://id.example', 'liaison', $2)",
  [acme?.id, oidcSecret],
);
await sql("insert into jobs (tenant_id, kind, subject, lane) values ($1, 'of a later release', 1, 'x')", [acme?.id]);
await sql("insert into mails (tenant_id, kind, state, ended_at) values ($1, 'invitation', 'sent', now())", [acme?.id]);
const ours = path.join(dataDir, "acme.backup");
const theirs = path.join(dataDir, "theirs.backup");
await json(["tenant", "backup", "acme", ours]);

type Row = Record<string, string | null>;
type Part = { table: StoredTable; rows: Row[] };

const name = (column: string) => column.replaceAll('"', "");

/** The first line, the rows of each table, and the last line of the tenant's file. */
async function contentOf(): Promise<{ header: unknown; parts: Part[]; trailer: Trailer }> {
  const clear = zstdDecompressSync(fs.readFileSync(ours).subarray(0, -40));
  const content = contentReader(pieces(clear));
  const header = await content.line();
  const parts: Part[] = [];
  for (;;) {
    const next = (await content.line()) as Partial<Part> & Trailer;
    if (next.table === undefined) return { header, parts, trailer: next };
    const { table } = next;
    const text = Buffer.concat(await Array.fromAsync(content.pieces())).toString();
    await content.line();
    const rows = text.match(/.*\n/g) ?? [];
    const read = rows.map((line) => {
      const values = valuesOf(Buffer.from(line));
      return Object.fromEntries(table.columns.map((column, index) => [name(column), values[index] ?? null]));
    });
    parts.push({ table, rows: read });
  }
}

async function* pieces(...all: (Buffer | string)[]): AsyncGenerator<Buffer> {
  for (const each of all) yield Buffer.from(each);
}

/** Writes the file anew, with right sums, and each row of a table as it is changed. */
async function write(table: string, change: (row: Row, index: number) => void): Promise<void> {
  const { header, parts, trailer } = await contentOf();
  for (const part of parts) if (part.table.name === table) part.rows.forEach(change);
  await writeBackup(
    theirs,
    (async function* () {
      yield jsonLine(header);
      for (const { table: of, rows } of parts) {
        const lines = rows.map((row) => lineOf(of.columns.map((column) => row[name(column)] ?? null)));
        yield* partLines({ table: of, pieces: pieces(...lines) });
      }
      yield jsonLine(trailer);
    })(),
    NEVER,
  );
}

/** The line that a restore says, which does nothing. */
async function refused(): Promise<string> {
  const options = { file: theirs, as: "copy", callingKinds: [], signal: NEVER };
  const error = await prepare(async (deps) => await restoreTenant(deps, options).catch((failure: unknown) => failure));
  assert.ok(error instanceof Refusal, String(error));
  assert.deepEqual(await sql("select slug from tenants where slug = 'copy'"), []);
  return error.message;
}

/** The same as the command says it. */
async function refusedByCommand(): Promise<string> {
  const { code, stdout, stderr } = await run(["tenant", "restore", theirs, "--as", "copy"]);
  assert.deepEqual([code, stdout], [1, ""], stderr);
  return stderr;
}

test("a row that Liaison would not have written is refused, with its table, its place and what is wrong with it", async () => {
  const long = "x".repeat(70_000);
  const lines = (line: object) => JSON.stringify([line]);
  const line = { position: 1, sku: null, description: "d", quantity: "1", unit_price: "1" };
  for (const [table, values, complaint] of [
    ["companies", { notes: long }, "The notes field must not be greater than 65535 characters."],
    ["companies", { metadata: `"${"x".repeat(2 ** 21)}"` }, "The metadata is longer than a request."],
    ["companies", { metadata: '{"a":"b"}', values_text: '{"a":"c"}' }, "The values_text is not the metadata."],
    ["companies", { metadata: null, values_text: '{"a":"c"},"x":{}' }, "The values_text is not the metadata."],
    ["companies", { email: "nobody" }, "The email field must be a valid email address."],
    ["contacts", { position: "x".repeat(101) }, "The position field must not be greater than 100 characters."],
    ["contacts", { birth_date: "infinity" }, "The birth date field must be a valid date."],
    ["addresses", { phone: "0".repeat(31) }, "The phone field must not be greater than 30 characters."],
    ["addresses", { type: "moon" }, "The selected type is invalid."],
    ["invoices", { total: "1e300" }, "The total field must be a number."],
    ["invoices", { lines: "{}" }, "The lines field must be an array."],
    ["invoices", { lines: lines({ ...line, more: long }) }, "The lines field must be an array."],
    [
      "invoices",
      { lines: lines({ ...line, sku: long }) },
      "The lines.0.sku field must not be greater than 100 characters.",
    ],
    ["activities", { at: "infinity" }, "The at field must be a valid date and time."],
    ["offers", { title: long }, "The title field must not be greater than 255 characters."],
    ["users", { name: long }, "The name field must not be greater than 255 characters."],
    ["tenants", { name: long }, "The name field must not be greater than 255 characters."],
    ["tenants", { created_at: "infinity" }, "The created_at is no time."],
    ["tenants", { session_epoch: "2147483647" }, "The session epoch field must not be greater than 1000000000."],
    ["tenants", { time_zone: "Moon" }, "The selected time zone is invalid."],
    ["webhooks", { description: long }, "The description field must not be greater than 255 characters."],
    ["payments", { reference: long }, "The reference field must not be greater than 100 characters."],
    ["payments", { external: '{"erp":1}' }, "The external.erp field must be a string."],
    ["promises", { note: long }, "The note field must not be greater than 500 characters."],
    ["jobs", { tries: "2147483647" }, "The tries field must not be greater than 1000000000."],
    ["jobs", { attempt: String(2n ** 63n - 1n) }, "The attempt field must be an integer."],
    ["jobs", { enqueued_at: "-infinity" }, "The enqueued_at is no time."],
    ["mails", { ended_at: "infinity" }, "The ended_at is no time."],
    ["list_views", { name: long }, "The name field must not be greater than 60 characters."],
    ["list_views", { filters: long }, "The filters field must not be greater than 1000 characters."],
    ["list_columns", { columns: `{${"x".repeat(2 ** 21)}}` }, "The columns is longer than a request."],
    ["workspace_details", { bank: long }, "The bank field must not be greater than 100 characters."],
    ["companies", { wms_contact: long }, "The wms contact field must not be greater than 100 characters."],
    ["workspace_details", { logo: "eA==" }, "The logo is neither a PNG nor a JPEG."],
    ["workspace_details", { logo: "x".repeat(300_000) }, "The logo field must not be greater than 273068 characters."],
    [
      "workspace_details",
      { warehouse_contact: long },
      "The warehouse contact field must not be greater than 100 characters.",
    ],
    ["workspace_details", { reminder_texts: '{"en1":{"subject":1}}' }, "The reminder_texts are no texts of reminders."],
    [
      "workspace_details",
      { reminder_texts: `{"en1":{"closing":"${long}"}}` },
      "The reminder_texts are no texts of reminders.",
    ],
    ["invitations", { email: "nobody" }, "The email field must be a valid email address."],
    ["api_keys", { name: long }, "The name field must not be greater than 255 characters."],
    ["single_sign_on", { sso_admin_group: long }, "The sso admin group field must not be greater than 255 characters."],
    [
      "users",
      { password_hash: `$argon2id$v=19$m=3000000,t=60,p=4$${"A".repeat(22)}$${"A".repeat(43)}` },
      "No release has made this password hash.",
    ],
  ] as const) {
    await write(table, (row) => Object.assign(row, values));
    assert.equal(await refused(), `Row 1 of ${table} was not written by Liaison: ${complaint}`);
  }
  assert.match(await refusedByCommand(), /^Row 1 of users was not written by Liaison: [^\n]+\n$/);
});

test("every text in a tenant's file is checked, or the reason why not is written down", async () => {
  const tables = await prepare(async ({ connection }) =>
    onSnapshot(connection, async (snapshot) => tenantTables(snapshot.tables, await snapshot.references())),
  );
  const texts = await sql(
    `select distinct table_name as of from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'character varying', 'ARRAY')`,
  );
  const withTexts = new Set(texts.map(({ of }) => of));
  const listed = [...storedFields.keys(), ...uncheckedTables.keys()];
  assert.deepEqual(
    listed.toSorted(),
    tables
      .map((table) => table.name)
      .filter((table) => withTexts.has(table))
      .toSorted(),
  );
  for (const table of tables) {
    const columns = new Set(table.columns.map(name));
    const unknown = (storedFields.get(table.name) ?? []).filter((field) => !columns.has(field.name));
    assert.deepEqual([table.name, unknown], [table.name, []]);
  }
});

test("ids that no instance gives out are refused, and those far ahead do not move the ids of other tenants", async () => {
  for (const id of [-1n, 0n, 2n ** 48n - 1n, 2n ** 53n, 2n ** 63n - 1n].map(String)) {
    await write("activities", (row, index) => {
      if (index === 0) row.id = id;
    });
    assert.equal(await refused(), `The file has a row of activities with the id ${id}, which no instance gives out.`);
  }
  const last = async () => (await sql("select last_value from activities_id_seq"))[0]?.last_value;
  const before = Number(await last());
  for (const [slug, ahead, moved] of [
    ["far", 2n ** 46n, before],
    ["near", 1_000_000n, before + 1_000_000 + 100_000],
  ] as const) {
    await write("activities", (row) => (row.id = String(BigInt(row.id ?? "") + ahead)));
    await json(["tenant", "restore", theirs, "--as", slug]);
    assert.equal(Number(await last()), moved);
  }
});

test("what is no backup although its sum is right is refused in one line", async () => {
  const { header } = await contentOf();
  const part = jsonLine({ table: { name: "users", columns: ["name"] } });
  const begins = "does not begin with what it is of";
  for (const [lines, complaint] of [
    [["null\n"], begins],
    [["[1]\n"], begins],
    [[jsonLine({ ...(header as object), tenant: undefined })], begins],
    [[jsonLine({ ...(header as object), tenant: { slug: 1, was_suspended: true } })], begins],
    [[jsonLine({ ...(header as object), migrations: "0001" })], begins],
    [['{"liaison" 1}\n'], "has a line that is no JSON"],
    [[jsonLine(header), "null\n"], "has a line that names no table"],
    [[jsonLine(header), '{"table":{"name":"users"}}\n'], "has a line that names no table"],
    [[jsonLine(header), '{"sequences":[],"tables":1}\n'], "has a line that names no table"],
    [[jsonLine(header), part, '"many"\n'], "has a piece without its length"],
    [[jsonLine(header), part, "-5\n"], "has a piece without its length"],
    [[jsonLine(header), part, "5\nab"], "ends too early"],
    [[jsonLine(header), '{"sequences":[],"tables":1,"rows":1}\nmore'], "goes on behind its end"],
    [[jsonLine(header), " ".repeat(65 * 2 ** 20), "\n"], "has a line of more than 64 MiB"],
  ] as const) {
    await writeBackup(theirs, pieces(...lines), NEVER);
    assert.equal(await refused(), `${theirs} ${complaint}: it is not a Liaison backup. Use another file.`);
  }
  assert.match(await refusedByCommand(), /has a line of more than 64 MiB: it is not a Liaison backup[^\n]+\n$/);
});

test("a row of more than 64 MiB is refused before it is in memory", async () => {
  const { header, parts } = await contentOf();
  const of = parts.find(({ table }) => table.name === "companies");
  if (of === undefined) throw new Error("the file has no companies");
  const megabyte = Buffer.alloc(2 ** 20, "x");
  const rows = async function* () {
    yield lineOf(of.table.columns.map((column) => of.rows[0]?.[name(column)] ?? null));
    for (let n = 0; n < 300; n++) yield megabyte;
    yield Buffer.from("\n");
  };
  await writeBackup(
    theirs,
    (async function* () {
      yield jsonLine(header);
      for (const part of parts.slice(0, parts.indexOf(of))) {
        const lines = part.rows.map((row) => lineOf(part.table.columns.map((column) => row[name(column)] ?? null)));
        yield* partLines({ table: part.table, pieces: pieces(...lines) });
      }
      yield* partLines({ table: of.table, pieces: rows() });
      yield jsonLine({ sequences: [], tables: 1, rows: 1 });
    })(),
    NEVER,
  );
  assert.equal(await refusedByCommand(), "Row 2 of companies has more than 64 MiB, which no tenant's backup holds.\n");
});
