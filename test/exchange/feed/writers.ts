import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import type { Visitor } from "../../doors/pages/visitor.ts";
import { connectTo } from "../../failure/data-directory.ts";
import { request } from "../../harness.ts";
import { poll, start, type Server } from "../../program.ts";

/** Two servers of one database with a worker each, of which either may be dead, and somebody who is signed in. */
export type Stage = {
  dataDir: string;
  servers: Server[];
  token: string;
  person: Visitor;
  /** A company that is connected with a warehouse. */
  connected: number;
  pauseMs: number;
  hasWritten: () => void;
  isOver: () => boolean;
};
type Writer = (stage: Stage, name: string, own: number[]) => Promise<void>;

const AGAIN_AFTER_MS = 20;
/** A warehouse takes orders one after the other. */
const ORDER_EVERY_MS = 500;
const IMPORT_SECONDS = 60;

async function send(stage: Stage, method: string, at: string, body?: object, headers = {}): Promise<number> {
  const answer = await request(anyOf(stage.servers).url, method, `/api/v1${at}`, body, { token: stage.token, headers });
  stage.hasWritten();
  return answer.status === 201 ? (answer.body.data.id as number) : 0;
}

/** Creates, changes, deletes and restores companies and their contacts, one request at a time. */
const singly: Writer = async (stage, name, own) => {
  const id = await send(stage, "POST", "/companies", { name, phone: "1" });
  if (id > 0) own.push(id);
  if (own.length === 0) return;
  const known = anyOf(own);
  await send(stage, "PUT", `/companies/${known}`, { name: `${name} changed` });
  const contact = await send(stage, "POST", `/companies/${known}/contacts`, { first_name: name, last_name: "B" });
  await send(stage, "DELETE", `/contacts/${contact}`);
  await send(stage, "POST", `/contacts/${contact}/restore`);
};

/** Requests at the same moment, which share a statement. */
const together: Writer = async (stage, name) => {
  const names = Array.from({ length: 5 }, (_, index) => `${name}.${index}`);
  const ids = await Promise.all(names.map(async (each) => await send(stage, "POST", "/companies", { name: each })));
  await Promise.all(ids.map(async (id) => await send(stage, "PUT", `/companies/${id}`, { city: name })));
};

const keyed: Writer = async (stage, name) => {
  const headers = { "idempotency-key": name };
  const id = await send(stage, "POST", "/companies", { name }, headers);
  await send(stage, "POST", "/companies", { name }, headers);
  if (id > 0) await send(stage, "PATCH", `/companies/${id}`, { city: name }, { "idempotency-key": `${name} city` });
};

const inBatches: Writer = async (stage, name, own) => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    name: `${name}.${index}`,
    tax_id: `${name}.${index % 18}`,
  }));
  await send(stage, "POST", "/companies/batch", { items: [...items, ...own.map((id) => ({ id, city: name }))] });
};

/** A transaction that writes, pauses, writes what others write too, and is taken back now and then. */
const slowly: Writer = async ({ dataDir, pauseMs, hasWritten }, name) => {
  const client: pg.Client = await connectTo(dataDir);
  client.on("error", () => {});
  const demo = "(select id from tenants where slug = 'demo')";
  const anyCompany = `select id from companies where tenant_id = ${demo} order by id desc offset $1 limit 1`;
  try {
    await client.query("begin");
    await client.query(`insert into companies (tenant_id, name, country) select ${demo}, $1, 'Romania'`, [name]);
    await pause(Math.random() * pauseMs);
    await client.query(
      `update companies set name = $2, updated_at = moment_after(updated_at)
       where tenant_id = ${demo} and id in (${anyCompany})`,
      [Math.floor(Math.random() * 20), name],
    );
    await client.query(Math.random() < 0.2 ? "rollback" : "commit");
    hasWritten();
  } finally {
    await client.end().catch(() => {});
  }
};

const byCommand: Writer = async ({ dataDir, hasWritten }, name) => {
  const file = path.join(path.dirname(dataDir), "companies.csv");
  fs.writeFileSync(file, csvOf(name));
  const environment = { LIAISON_DATA_DIR: dataDir };
  await start(["import", "companies", "--tenant", "demo", file], environment).finished();
  hasWritten();
};

/** By forms, as people do. */
const onPages: Writer = async ({ person, hasWritten }, name) => {
  const { location } = await person.post("/companies", { name });
  hasWritten();
  if (location !== null) await person.post(location, { name: `${name} changed` });
};

/** A file that somebody uploads: a worker checks it, and writes it. */
const byUpload: Writer = async ({ person, hasWritten }, name) => {
  const { location } = await person.upload("/imports", { kind: "companies" }, { "companies.csv": csvOf(name) });
  const isThrough = async () => !(await person.get(String(location))).text.includes("data-refresh");
  await poll("the file's check", isThrough, IMPORT_SECONDS);
  await person.post(`${location}/start`);
  await poll("the import", isThrough, IMPORT_SECONDS);
  hasWritten();
};

/** Invoices that a worker makes orders of, which it follows. */
const byOrders: Writer = async (stage, name) => {
  const invoice = { number: name, total: "12.50", currency: "RON" };
  const id = await send(stage, "POST", `/companies/${stage.connected}/invoices`, invoice);
  if (id > 0) await send(stage, "POST", `/invoices/${id}/wms-order`);
  await pause(ORDER_EVERY_MS);
};

function csvOf(name: string): string {
  const rows = Array.from({ length: 200 }, (_, index) => `${name} import ${index},T${index % 150}`);
  return `name,tax_id\n${rows.join("\n")}\n`;
}

const three = (writer: Writer) => [writer, writer, writer];
const sixteen: readonly Writer[] = [
  ...three(singly),
  ...three(slowly),
  together,
  together,
  keyed,
  keyed,
  inBatches,
  inBatches,
  byCommand,
  onPages,
  byUpload,
  byOrders,
];

/** Sixteen write by every way there is, until it is over. */
export async function keepWriting(stage: Stage): Promise<void> {
  await Promise.all(
    sixteen.map(async (write, number) => {
      const own: number[] = [];
      for (let round = 0; !stage.isOver(); round++) {
        // What became of it nobody knows where somebody died; who hears of it and the database have to agree.
        await write(stage, `${number}.${round}`, own).catch(async () => await pause(AGAIN_AFTER_MS));
      }
    }),
  );
}

export function anyOf<T>(some: readonly T[]): T {
  return some[Math.floor(Math.random() * some.length)] as T;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
