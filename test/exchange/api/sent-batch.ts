import assert from "node:assert/strict";
import type { TestTenant } from "../../harness.ts";

type Result = { index: number; outcome: string; id: number | null; errors?: Record<string, string[]>; error?: string };
type Told = { created: number; updated: number; unchanged: number; rejected: number; results: Result[] };

/** Sends a batch, and returns its answer. */
export async function batch(tenant: TestTenant, noun: string, items: unknown, more: object = {}): Promise<Told> {
  const answer = await tenant.post(`/api/v1/${noun}/batch`, { items, ...more });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Told;
}

/** The id of a new company. */
export async function companyOf(tenant: TestTenant, fields: object): Promise<number> {
  const { body } = await tenant.post("/api/v1/companies", fields);
  return body.data.id;
}

type Company = { id: number; name: string; tax_id: string | null; city: string | null; updated_at: string };

/** The first companies of a tenant. */
export async function companiesOf(tenant: TestTenant): Promise<Company[]> {
  const { body } = await tenant.get("/api/v1/companies?per_page=200");
  return body.data;
}
