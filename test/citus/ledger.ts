import assert from "node:assert/strict";
import type { TestServer, TestTenant } from "../harness.ts";

/** What was acknowledged, and how requests fared. */
export type Ledger = {
  /** The name that the company of an id was last acknowledged to have. */
  acknowledged: Map<number, string>;
  /** Answers that were neither 200 nor 201, by their status; 0: none at all. */
  refused: Map<number, number>;
  /** The longest that a request took, in milliseconds. */
  slowest: number;
  stop(): Promise<void>;
};

const WRITERS = 3;

/** Has a tenant's companies written to by several clients, one request each at a time, until it is stopped. */
export function keepWriting(tenant: TestTenant): Ledger {
  const stopped = new AbortController();
  const ledger: Ledger = {
    acknowledged: new Map(),
    refused: new Map(),
    slowest: 0,
    async stop() {
      stopped.abort();
      await writers;
    },
  };

  async function send(work: () => Promise<{ status: number; body: { data: { id: number } } }>, name: string) {
    const began = performance.now();
    const answer = await work().catch(() => null);
    ledger.slowest = Math.max(ledger.slowest, performance.now() - began);
    const status = answer?.status ?? 0;
    if (answer === null || status >= 300) return void ledger.refused.set(status, (ledger.refused.get(status) ?? 0) + 1);
    ledger.acknowledged.set(answer.body.data.id, name);
    return answer.body.data.id;
  }

  async function write(writer: number): Promise<void> {
    for (let round = 0; !stopped.signal.aborted; round++) {
      const name = `Company ${writer}.${round}`;
      const id = await send(async () => await tenant.post("/api/v1/companies", { name }), name);
      if (id === undefined) continue;
      const changed = `${name} changed`;
      await send(async () => await tenant.put(`/api/v1/companies/${id}`, { name: changed }), changed);
    }
  }

  const writers = Promise.all(Array.from({ length: WRITERS }, async (_, writer) => await write(writer)));
  return ledger;
}

/** Fails unless all that was acknowledged is there; what was refused may be. The total is right. */
export async function assertKept(server: TestServer, tenant: TestTenant, { acknowledged }: Ledger): Promise<void> {
  const rows = await server.sql("select id::int, name from companies where tenant_id = $1", [tenant.id]);
  const names = new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  assert.ok(acknowledged.size > 0);
  const found = [...acknowledged].map(([id, name]) => ({ id, name, kept: names.get(id) ?? null }));
  const lost = found.filter(({ name, kept }) => kept !== name && kept !== `${name} changed`);
  assert.deepEqual(lost, []);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, rows.length);
}

/** Resolves when this number of further writes are acknowledged. */
export function acknowledgedSince(ledgers: readonly Ledger[]): () => number {
  const count = () => ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const before = count();
  return () => count() - before;
}
