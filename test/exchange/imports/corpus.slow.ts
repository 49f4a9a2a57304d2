import assert from "node:assert/strict";
import { test } from "node:test";
import { recordKinds } from "../../../src/customers/records/record.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { settled } from "../pages/settled-import.ts";
import type { CorpusFile } from "./corpus-file.ts";
import { corpus } from "./corpus.ts";
import { workbook, type Cell } from "./workbooks.ts";

const server = await startServer();
runWorker(server);

/** The columns of all files, and those whose field was guessed right. */
const counted = { columns: 0, right: 0, wrong: [] as string[], hidden: [] as string[] };

for (const file of corpus) {
  test(`a file as people have it is imported: ${file.name}`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    await prepare(tenant);
    await server.sql("update users set language = $2 where tenant_id = $1", [tenant.id, file.language]);
    const path = await upload(member, file);
    const guessed = columnsOf((await member.get(path)).text);
    const names = (file.rows[(file.header ?? 1) - 1] ?? []).map(String);
    for (const [index, field] of file.fields.entries()) {
      counted.columns++;
      if (guessed[index]?.field === field) counted.right++;
      else {
        counted.wrong.push(`${file.name}: ${names[index] ?? ""} is ${field}, not ${guessed[index]?.field ?? "shown"}`);
        // A wrong guess is on the page before anything is checked, where it can be changed.
        if (guessed[index] === undefined) counted.hidden.push(`${file.name}: ${names[index] ?? ""}`);
      }
    }
    const columns = Object.fromEntries(file.fields.map((field, index) => [`column.${index}`, field]));
    assert.equal((await member.post(`${path}/reading`, columns)).location, path);
    await settled(member, path);
    if (file.words !== undefined) {
      assert.equal((await member.post(`${path}/corrections`, file.words)).location, path);
      await settled(member, path);
    }
    assert.equal((await member.post(`${path}/start`)).location, path);
    await settled(member, path);
    const [result] = await server.sql("select created, updated, kind from imports where tenant_id = $1", [tenant.id]);
    assert.equal(Number(result?.created) + Number(result?.updated), file.imported);
    await isStored(tenant, file);
  });
}

test("at least 95% of the columns are guessed right, and every wrong guess is seen before the import", () => {
  assert.deepEqual(counted.hidden, []);
  assert.ok(corpus.length >= 25, `${corpus.length} files`);
  const share = counted.right / counted.columns;
  assert.ok(share >= 0.95, `${counted.right} of ${counted.columns}:\n${counted.wrong.join("\n")}`);
});

/** A company that contacts, addresses, invoices and records name, and an invoice for lines. */
async function prepare(tenant: TestTenant): Promise<void> {
  const company = (await tenant.post("/api/v1/companies", { name: "Părinte SRL", tax_id: "RO900" })).body.data;
  await tenant.post(`/api/v1/companies/${company.id}/invoices`, { number: "L-1", status: "draft" });
}

const isRecord = (kind: string) => recordKinds.some((record) => record === kind);

/** Uploads a file without naming its kind. */
async function upload(member: Member, { kind, name, ...file }: CorpusFile): Promise<string> {
  const isWorkbook = file.saved.startsWith("xlsx");
  const files = { [isWorkbook ? "fisier.xlsx" : "fisier.csv"]: new Uint8Array(bytesOf(file)) };
  const answer = await member.upload("/imports", {}, files);
  assert.equal(answer.status, 303, name);
  const path = String(answer.location);
  const [, guessed] = /<select id="kind".*?<option value="(\w+)" selected>/s.exec((await member.get(path)).text) ?? [];
  // Of offers, deals, tickets and subscriptions the columns are the same.
  if (!isRecord(kind) || !isRecord(guessed ?? "")) assert.equal(guessed, kind, name);
  await member.post(`${path}/kind`, { kind });
  return path;
}

function bytesOf({
  saved,
  encoding,
  rows,
  merged = [],
}: Pick<CorpusFile, "saved" | "encoding" | "rows" | "merged">): Buffer {
  if (saved === "xlsx" || saved === "xlsx inline") {
    return workbook([{ name: "Foaie1", rows, isInline: saved === "xlsx inline", merged }]);
  }
  const mark = { semicolons: ";", commas: ",", tabs: "\t" }[saved];
  const width = Math.max(...rows.map(({ length }) => length));
  const text = rows
    // A title that somebody typed above the table has no delimiters.
    .map((cells) =>
      Array.from({ length: cells.length < 2 ? cells.length : width }, (_none, index) =>
        quoted(cells[index] ?? "", mark),
      ).join(mark),
    )
    .join("\r\n");
  if (encoding === "windows-1250") return Buffer.from(Array.from(text, byteOf1250));
  if (encoding === "utf-16le") return Buffer.from(`\ufeff${text}`, "utf16le");
  return Buffer.from(encoding === undefined ? text : `\ufeff${text}`);
}

function quoted(cell: Cell, mark: string): string {
  const text = typeof cell === "string" || typeof cell === "number" ? String(cell) : "";
  return text.includes(mark) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

const decoder = new TextDecoder("windows-1250");
const bytes1250 = new Map(Array.from({ length: 256 }, (_none, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));

function byteOf1250(character: string): number {
  const byte = bytes1250.get(character);
  if (byte === undefined) throw new Error(`Windows-1250 has no ${character}`);
  return byte;
}

/** The field of each column on the page. */
function columnsOf(text: string): { field: string }[] {
  return [...text.matchAll(/<select id="column\.\d+".*?<\/select>/gs)].map(([select]) => ({
    field: /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "",
  }));
}

/** Whether one row has the values that the file says. Phones are encrypted, so they are read by the API. */
async function isStored(tenant: TestTenant, { kind, stored }: CorpusFile): Promise<void> {
  if (kind === "companies") {
    const { data } = (await tenant.get("/api/v1/companies?per_page=200")).body;
    const found = data.find(({ name }: { name: string }) => name === stored.name);
    for (const [field, value] of Object.entries(stored)) assert.equal(String(found?.[field]), value, field);
    return;
  }
  const table = kind === "invoice_lines" ? "invoices" : kind;
  const rows = await server.sql(`select to_jsonb(t) as row from ${table} t where tenant_id = $1`, [tenant.id]);
  const fits = rows.some(({ row }) =>
    Object.entries(stored).every(([field, value]) => {
      const found = (row as Record<string, unknown>)[field];
      return String(found) === value || (/^[\d.]+$/.test(value) && Number(found) === Number(value));
    }),
  );
  assert.ok(fits, JSON.stringify(rows));
}
