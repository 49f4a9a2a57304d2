import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { DUPLICATES, listOfNames } from "./real-names.ts";

const server = await startServer();
runWorker(server);

test("of 2,000 names with 300 duplicates, 95 of the first 100 pairs are right, and 85% are found", async () => {
  const tenant = await server.createTenant();
  const list = listOfNames();
  const companyOf = new Map<number, number>();
  for (let at = 0; at < list.length; at += 1_000) {
    const part = list.slice(at, at + 1_000);
    const { body } = await tenant.post("/api/v1/companies/batch", { items: part.map(({ fields }) => fields) });
    assert.equal(
      body.created,
      part.length,
      JSON.stringify(body.results?.find(({ outcome }: { outcome: string }) => outcome !== "created")),
    );
    for (const [index, { id }] of body.results.entries()) companyOf.set(id, part[index]?.is ?? -1);
  }
  await tenant.get("/api/v1/companies/alike");
  await poll("the end of the comparison", async () => {
    const [{ jobs } = { jobs: 1 }] = await server.sql(
      `select count(*)::int as jobs from jobs where tenant_id = $1 and kind = 'find-alike' and state <> 'done'`,
      [tenant.id],
    );
    return jobs === 0;
  });
  const right: boolean[] = [];
  const found = new Set<number>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await tenant.get(`/api/v1/companies/alike?per_page=100&cursor=${cursor}`);
    for (const { companies } of body.data) {
      const [one, other] = companies.map(({ id }: { id: number }) => companyOf.get(id));
      right.push(one === other);
      if (one === other) found.add(one);
    }
    cursor = body.next_cursor;
  }
  const rightOfFirst = right.slice(0, 100).filter(Boolean).length;
  const share = found.size / DUPLICATES;
  const all = right.filter(Boolean).length / right.length;
  assert.ok(rightOfFirst >= 95 && share >= 0.85 && all >= 0.9, `${rightOfFirst} of 100, ${share} found, ${all} right`);
});
