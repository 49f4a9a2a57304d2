// Writes a night's data of an ERP into Liaison: companies, contacts and invoices, each with the ERP's own id.
//
//   LIAISON=http://127.0.0.1:3000 TOKEN=demo.lsn_... node erp-night.ts night.jsonl night.db
//
// Node 24 or later, nothing else. Each line of the file is one item of a batch, with its kind:
//
//   {"kind":"companies","external":{"erp":"c-1"},"name":"Transilvania Foods SRL"}
//   {"kind":"contacts","external":{"erp":"p-1"},"company_external":{"erp":"c-1"},"first_name":"Dan","last_name":"Rusu"}
//
// It may be killed at any moment. Started again with the same file, it continues, and creates nothing twice:
// - a batch whose answer is stored in night.db is not sent again;
// - a batch whose answer got lost has the same Idempotency-Key, so the server answers it again without writing;
// - after 24 hours, when the server has forgotten the key, the external ids still name the same resources.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const { LIAISON, TOKEN, BATCH = "500" } = process.env;
const [file = "night.jsonl", database = "night.db"] = process.argv.slice(2);
/** In this order, because a contact and an invoice name a company that must exist. */
const KINDS = ["companies", "contacts", "invoices"];

type Item = { kind: string; [field: string]: unknown };
type Result = { index: number; outcome: string; id: number | null; errors?: object; error?: string };

const text = readFileSync(file, "utf8");
// The same bytes are the same night, whenever it is sent.
const night = createHash("sha256").update(text).digest("hex").slice(0, 16);
const all = text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line) as Item)));

const store = new DatabaseSync(database, { timeout: 5_000 });
store.exec(`create table if not exists answered (batch text primary key);
  create table if not exists results (batch text, place integer, outcome text, id integer, why text)`);

for (const kind of KINDS) {
  // Liaison ignores fields that it does not know, such as `kind`.
  const items = all.filter((item) => item.kind === kind);
  for (let from = 0; from < items.length; from += Number(BATCH)) {
    const batch = `night-${night}-${kind}-${from}-${BATCH}`;
    if (store.prepare("select 1 from answered where batch = ?").get(batch) !== undefined) continue;
    keep(batch, await send(kind, batch, items.slice(from, from + Number(BATCH))));
  }
}
const told = store.prepare("select outcome, count(*) as n from results where batch like ? group by 1 order by 1");
console.log(
  told
    .all(`night-${night}-%`)
    .map(({ outcome, n }) => `${String(outcome)}: ${String(n)}`)
    .join(", "),
);

/** Sends a batch until it is answered. The body must have the same bytes each time: the key stands for them. */
async function send(kind: string, batch: string, items: object[]): Promise<Result[]> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", "idempotency-key": batch };
  const request = { method: "POST", headers, body: JSON.stringify({ items }) };
  for (;;) {
    const answer = await fetch(`${LIAISON}/api/v1/${kind}/batch`, request).catch(() => null);
    const body = await answer?.text().catch(() => null);
    if (answer?.ok && typeof body === "string") return (JSON.parse(body) as { results: Result[] }).results;
    const isPassing = answer === null || body === null || answer.status >= 500 || answer.status === 429;
    const isRunning = answer?.headers.get("x-error-code") === "idempotency_key_in_progress";
    // Any other refusal stays the same: a person must correct the file or the key.
    if (!isPassing && !isRunning) throw new Error(`${batch}: ${answer?.status} ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer?.headers.get("retry-after") ?? 1)));
  }
}

/** Stores the outcome of each item, together with the fact that the batch was answered. */
function keep(batch: string, results: Result[]): void {
  store.exec("begin immediate");
  const insert = store.prepare("insert into results values (?, ?, ?, ?, ?)");
  for (const { index, outcome, id, errors, error } of results) {
    insert.run(batch, index, outcome, id, error ?? (errors === undefined ? null : JSON.stringify(errors)));
    if (outcome === "rejected") console.error(`${batch} ${index}: ${error ?? JSON.stringify(errors)}`);
  }
  store.prepare("insert into answered values (?)").run(batch);
  store.exec("commit");
}
