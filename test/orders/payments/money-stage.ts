import assert from "node:assert/strict";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startImportServer, type ImportServer } from "../../exchange/imports/import-server.ts";
import type { TestTenant } from "../../harness.ts";
import type { Server } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/** Random numbers of a seed, the same in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed & 0x7fffffff;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

export type Stage = {
  server: ImportServer;
  tenant: TestTenant;
  member: Member;
  owner: number;
  worker: ReturnType<typeof runWorker>;
  /** The companies that exist. */
  companies: number[];
  merges: { id: number; from: number }[];
  /** Imports that may be undone, with the payments that they made. */
  imports: { path: string; payments: string[] }[];
  /** A server of its own, which is killed; null when it is. */
  victim: Promise<Server> | null;
  random: (below: number) => number;
  /** A number that no earlier one equals. */
  next: () => number;
};

type Invoice = { id: string; company_id: string; number: string; status: string; total: string | null };

export const DAYS = ["2025-03-31", "2025-12-31", "2026-01-31", "2026-03-31", "2026-08-31", "2026-10-31", "2026-11-15"];

/** A workspace with companies, and a worker of its jobs. */
export async function openStage(seed: number): Promise<Stage> {
  const server = await startImportServer();
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  let last = 1_000;
  const worker = runWorker(server);
  const lists = { companies: [], merges: [], imports: [] };
  const stage = {
    server,
    tenant,
    member,
    owner: member.userId,
    worker,
    ...lists,
    victim: null,
    random: randomOf(seed),
    next: () => ++last,
  };
  for (let at = 0; at < 3; at++) await newCompany(stage);
  return stage;
}

export function oneOf<T>({ random }: Pick<Stage, "random">, values: readonly T[]): T {
  return values[random(values.length)] as T;
}

export function shuffled<T>(stage: Stage, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: stage.random(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

export async function newCompany(stage: Stage): Promise<number> {
  const number = stage.next();
  const { status, body } = await stage.tenant.post("/api/v1/companies", {
    name: `Company ${number}`,
    tax_id: `RO${number}`,
    city: oneOf(stage, ["Cluj-Napoca", "CLUJ-NAPOCA", "Turda", null]),
    assigned_to: oneOf(stage, [stage.owner, null]),
  });
  assert.equal(status, 201);
  stage.companies.push(body.data.id);
  return body.data.id;
}

export const amountOf = ({ random }: Stage, most = 20_000) => ((1 + random(most)) / 100).toFixed(2);

export function invoiceBody(stage: Stage): Record<string, unknown> {
  const sign = stage.random(6) === 0 ? "-" : "";
  const lines = Array.from({ length: stage.random(3) }, () => ({
    sku: oneOf(stage, ["PALLET-80", "BOX", undefined]),
    description: "Goods",
    quantity: String(1 + stage.random(9)),
    unit_price: amountOf(stage, 900),
  }));
  return {
    number: `LG-${stage.next()}`,
    total: stage.random(10) === 0 ? null : `${sign}${amountOf(stage)}`,
    currency: oneOf(stage, ["RON", "RON", "EUR", null]),
    status: oneOf(stage, ["issued", "issued", "issued", "paid", "draft", "cancelled"]),
    issued_on: stage.random(12) === 0 ? null : oneOf(stage, DAYS),
    due_on: oneOf(stage, [null, ...DAYS]),
    lines,
  };
}

export async function invoicesOf({ server, tenant }: Stage, condition = "true"): Promise<Invoice[]> {
  const sql = `select i.id::text, i.company_id::text, i.number, i.status, i.total::text from invoices i where i.tenant_id = $1 and ${condition} order by i.id`;
  return (await server.sql(sql, [tenant.id])) as Invoice[];
}

/** A random invoice with a condition; a new one if there is none. */
export async function someInvoice(stage: Stage, condition = "true"): Promise<Invoice> {
  const found = await invoicesOf(stage, condition);
  if (found.length > 0) return oneOf(stage, found);
  const body = {
    ...invoiceBody(stage),
    status: condition.includes("cancelled") ? "cancelled" : "issued",
    total: "50.00",
  };
  const { data } = (await stage.tenant.post(`/api/v1/companies/${oneOf(stage, stage.companies)}/invoices`, body)).body;
  return {
    id: String(data.id),
    company_id: String(data.company_id),
    number: data.number,
    status: data.status,
    total: data.total,
  };
}

export async function paymentsOf({ server, tenant }: Stage): Promise<string[]> {
  const rows = await server.sql(
    "select id::text from payments where tenant_id = $1 and deleted_at is null order by id",
    [tenant.id],
  );
  return rows.map(({ id }) => String(id));
}
