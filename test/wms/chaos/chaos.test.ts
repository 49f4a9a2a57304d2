import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstallation } from "../../cli/installation.ts";
import { unleash } from "./chaos.ts";

/** What `npm run test:wms` does at length, in short (docs/decisions/0032-sending.md). */
test("whatever fails or dies, each invoice becomes one order, and its link is that order", async (t) => {
  const { environment, sql } = await createInstallation();
  const verdict = await unleash(
    { environment, sql, killPostgres: null, leaseMs: 1_500 },
    {
      invoices: 200,
      companies: 12,
      instances: 3,
      tenants: 2,
      kills: 10,
      seconds: 300,
      isHasty: true,
      say: (line) => t.diagnostic(line),
    },
  );
  assert.deepEqual(verdict, { dup: 0, lost: 0, mismatched: 0, unknown: 0 });
});
