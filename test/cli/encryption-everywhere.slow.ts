import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startWorker } from "../../src/kit/jobs/run-jobs.ts";
import { encryptedTables } from "../../src/operation/encryption/encrypted-tables.ts";
import { reencrypt } from "../../src/operation/encryption/reencrypt.ts";
import {
  formatEncryptionKeys,
  generateEncryptionKey,
  parseEncryptionKeys,
} from "../../src/platform/encryption/keyring.ts";
import { statementTallies } from "../../src/platform/postgres/statement-tallies.ts";
import { jobKinds } from "../../src/worker.ts";
import { operatorWithSecondFactor, withSecondFactor } from "../doors/pages/second-factor.ts";
import { signedIn } from "../doors/pages/visitor.ts";
import { startImportServer } from "../exchange/imports/import-server.ts";
import { request, type Answer } from "../harness.ts";
import { poll, start } from "../program.ts";

/**
 * Whatever is stored encrypted, wherever it stands, is under the new key after a rotation, and means what it meant
 * (docs/operations.md 8).
 */
const server = await startImportServer();
const { keyring, database } = server.deps;
const [former = generateEncryptionKey([])] = parseEncryptionKeys(String(server.environment.LIAISON_ENCRYPTION_KEYS));
const current = generateEncryptionKey([former]);
const stop = new AbortController();
const worker = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 20 });
after(async () => {
  stop.abort();
  await worker.ended;
});

const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });

function rotation(options: Record<string, string> = {}) {
  const keys = { LIAISON_ENCRYPTION_KEYS: formatEncryptionKeys([current, former]) };
  return start(["encryption", "rotate", "--json"], { ...server.environment, ...keys, ...options }).finished();
}

/** Writes with keys of their own, in this order: each stands on the ones before. */
async function write(company: string, gone: string, webhook: string): Promise<Answer[]> {
  const phone = "+40 722 000 111";
  const requests = [
    ["POST", "/api/v1/companies", { name: "Keyed", phone }],
    ["PUT", `/api/v1/companies/${company}`, { notes: "Keyed" }],
    ["POST", `/api/v1/companies/${company}/contacts`, { first_name: "A", last_name: "B", phone, mobile: phone }],
    ["POST", `/api/v1/companies/${company}/addresses`, { address: "C", phone }],
    ["POST", `/api/v1/companies/${company}/invoices`, { number: "K-1", total: "12.50" }],
    [
      "POST",
      "/api/v1/contacts/batch",
      { items: [{ company_id: company, first_name: "D", last_name: "E", phone }, {}] },
    ],
    ["POST", "/api/v1/webhooks", { url: "https://hooks.example/", types: ["invoice.deleted"] }],
    ["POST", `/api/v1/webhooks/${webhook}/rotate-secret`, undefined],
    ["POST", `/api/v1/webhooks/${webhook}/test`, undefined],
    ["DELETE", `/api/v1/companies/${gone}`, undefined],
  ] as const;
  const answers: Answer[] = [];
  for (const [index, [method, path, body]] of requests.entries()) {
    const options = { token: tenant.token, headers: { "idempotency-key": `everywhere-${index}` } };
    answers.push(await request(server.url, method, path, body, options));
  }
  return answers;
}

/**
 * Imports a file by the pages: what it changes is kept, to be shown and to be undone. Returns the path of the import.
 */
async function bringIn(csv: string): Promise<string> {
  const path = await upload(csv);
  await admin.post(`${path}/start`);
  await untilIs(path, "done");
  return path;
}

async function upload(csv: string): Promise<string> {
  const { location } = await admin.upload("/imports", { kind: "companies" }, { "file.csv": csv });
  await untilIs(String(location), "checked");
  return String(location);
}

async function untilIs(path: string, state: string): Promise<void> {
  const id = path.split("/").at(-1);
  const read = async () => (await server.sql("select state from imports where id = $1", [id]))[0]?.state;
  await poll(`an import that is ${state}`, async () => (await read()) === state);
}

async function companyOf(name: string): Promise<string> {
  return String((await tenant.post("/api/v1/companies", { name })).body.data.id);
}

/** The path of a delivery that was given up, with the receiver's answer. */
async function failedDelivery(webhook: string): Promise<string> {
  const answer = JSON.stringify({ headers: [], body: "database is down" });
  const [row] = await server.sql(
    `insert into webhook_deliveries (tenant_id, webhook_id, round, type, resource, state, attempts, last_status, last_error, last_answer)
    values ($1, $2, 0, 'company.updated', 'company/1', 'given_up', 10, 500, 'status', $3) returning id`,
    [tenant.id, webhook, keyring.encrypt(tenant.id, "webhook_deliveries.last_answer", answer)],
  );
  return `/webhooks/${webhook}/deliveries/${String(row?.id)}`;
}

/** A mail that waits, as none is sent here. */
async function waitingMail(): Promise<void> {
  const details = keyring.encrypt(
    tenant.id,
    "mails.details",
    JSON.stringify({ language: "en", path: "/", invitedBy: "A" }),
  );
  await server.sql("insert into mails (tenant_id, kind, email, details) values ($1, 'invitation', 'a@b.example', $2)", [
    tenant.id,
    details,
  ]);
}

/** A call of an assistant that waits for a user. */
async function waitingCall(): Promise<void> {
  await server.sql(
    `insert into pending_requests (tenant_id, api_key_id, key, tool, secret)
    select $1, min(id), 'k', 'send_invoice', $2 from api_keys where tenant_id = $1`,
    [tenant.id, keyring.encrypt(tenant.id, "pending_requests.secret", "{}")],
  );
}

/** An order of this invoice went to an address: no warehouse is here to send it to. */
async function deliveredTo(invoice: string): Promise<void> {
  const address = keyring.encrypt(tenant.id, "invoices.delivered_to", JSON.stringify({ address: "Str. Lungă 1" }));
  await server.sql("update invoices set delivered_to = $2 where id = $1", [invoice, address]);
}

/** The columns of the database with values that a key encrypted. */
async function encryptedWith(keyId: string): Promise<string[]> {
  const columns = await server.sql(
    `select table_name as "table", column_name as "column" from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`,
  );
  const ciphertext = `(^|[^A-Za-z0-9_-])${keyId}:[A-Za-z0-9+/]{37}`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await server.sql(`select 1 from ${String(table)} where ${String(column)}::text ~ $1 limit 1`, [
      ciphertext,
    ]);
    if (row !== undefined) found.push(`${String(table)}.${String(column)}`);
  }
  return found;
}

test("after a rotation everything is under the new key, and answers, signs and is undone as before without the former one", async () => {
  const { id: webhook, secret } = (await tenant.post("/api/v1/webhooks", { url: "https://hooks.example/" })).body.data;
  const { id: connected } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", phone: "0264 1" })).body
    .data;
  await admin.post(`/companies/${connected}/warehouse`, { wms_subdomain: "a", wms_api_key: "key-of-warehouse" });
  await admin.post("/workspace/warehouses", { wms_subdomain: "b", wms_api_key: "key-of-the-workspace-7Qz9" });
  const provider = { issuer: "https://id.example/", client_id: "liaison" };
  await admin.post("/workspace/sign-in", { ...provider, secret: "secret-of-the-client-8Xw2" });
  const [company, gone] = [await companyOf("B"), await companyOf("C")];
  await withSecondFactor(server, tenant);
  await operatorWithSecondFactor(server);
  const imported = await bringIn("tax_id,name,phone\nRO1,A,0264 2\n");
  const checked = await upload("tax_id,name,phone\nRO1,A,0264 3\n");
  const first = await write(company, gone, String(webhook));
  assert.deepEqual(
    first.map(({ status }) => status),
    [201, 200, 201, 201, 201, 200, 201, 200, 202, 200],
  );
  const delivery = await failedDelivery(String(webhook));
  await waitingMail();
  await waitingCall();
  await deliveredTo(String(first[4]?.body.data.id));
  const other = await companyOf("D");
  await tenant.post(`/api/v1/companies/${other}/contacts`, { first_name: "F", last_name: "G", phone: "0264 4" });
  assert.equal((await tenant.post(`/api/v1/companies/${company}/merge`, { from: Number(other) })).status, 200);
  const all = encryptedTables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  assert.deepEqual(await encryptedWith(former.id), all.toSorted(), "this test fills every column that is encrypted");

  const { code, stderr } = await rotation();
  assert.equal(code, 0, stderr);
  assert.deepEqual(await encryptedWith(former.id), []);
  assert.deepEqual(await encryptedWith(current.id), [...all, "settings.value"].toSorted());
  keyring.replaceEncryptionKeys([current]);

  const again = await write(company, gone, String(webhook));
  for (const [index, { status, text, headers }] of first.entries()) {
    assert.deepEqual([again[index]?.status, again[index]?.text], [status, text]);
    assert.equal(again[index]?.headers.get("etag"), headers.get("etag"));
    assert.equal(again[index]?.headers.get("idempotency-replayed"), "true");
  }
  const [stored] = await server.sql("select secret, previous_secret from webhooks where id = $1", [webhook]);
  const signs = ["secret", "previous_secret"].map((name) =>
    keyring.decrypt(tenant.id, `webhooks.${name}`, String(stored?.[name])).replace(/ \d+$/, ""),
  );
  assert.deepEqual(signs, [first[7]?.body.data.secret, secret]);
  assert.equal((await tenant.get(`/api/v1/companies/${connected}`)).body.data.phone, "0264 2");
  assert.match((await admin.get(checked)).text, /0264 3/);
  assert.match((await admin.get(delivery)).text, /database is down/);
  assert.match((await admin.get("/workspace/warehouses")).text, /ends in 7Qz9/);
  assert.match((await admin.get("/workspace/sign-in")).text, /…8Xw2/);
  await admin.post(`${imported}/undo`);
  await untilIs(imported, "undone");
  assert.equal((await tenant.get(`/api/v1/companies/${connected}`)).body.data.phone, "0264 1");
});

test("a rotation takes the memory of a step, however large the answers are that were kept", async () => {
  const another = await server.createTenant();
  keyring.replaceEncryptionKeys([former, current]);
  const answer = JSON.stringify({ json: "x".repeat(1_000_000) });
  for (let n = 0; n < 60; n++) {
    await server.sql(
      "insert into kept_answers (tenant_id, api_key_id, key, request, status, secret) values ($1, 1, $2, '', 200, $3)",
      [another.id, `large-${n}`, keyring.encrypt(another.id, "kept_answers.secret", answer)],
    );
  }
  const { code, stdout, stderr } = await rotation({ NODE_OPTIONS: "--max-old-space-size=64" });
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { rows: 60 });
  keyring.replaceEncryptionKeys([current]);
  await server.sql("delete from kept_answers where tenant_id = $1", [another.id]);
});

test("a day of stored answers is looked at in steps, however few of them have anything encrypted", async () => {
  const another = await server.createTenant();
  await server.sql(
    `insert into kept_answers (tenant_id, api_key_id, key, request, status, secret)
    select $1, 1, n, '', 201, case n when 9000 then $2 end from generate_series(1, 9000) n`,
    [another.id, keyring.encrypt(another.id, "kept_answers.secret", "{}")],
  );
  const next = generateEncryptionKey([former, current]);
  keyring.replaceEncryptionKeys([next, current]);
  const steps = () => {
    const [counts] = statementTallies.metrics();
    return counts?.samples.find(({ labels }) => labels.statement === "stale_rows_of_kept_answers")?.value ?? 0;
  };
  const before = steps();
  await reencrypt({ database, keyring, signal: new AbortController().signal, onProgress() {} });
  assert.ok(steps() - before >= 2 * 5, "two passes of five steps");
  const [row] = await server.sql("select secret from kept_answers where tenant_id = $1 and secret is not null", [
    another.id,
  ]);
  assert.ok(String(row?.secret).startsWith(`${next.id}:`));
});
