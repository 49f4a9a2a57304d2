import assert from "node:assert/strict";
import { createInstallation, HASH_OF_PROGRAM } from "../../cli/installation.ts";
import { request } from "../../harness.ts";
import { oneOf, type Stage } from "./money-stage.ts";

const REPORTS = [
  "/api/v1/reports/receivables?per_page=200",
  "/api/v1/reports/receivables?as_of=2026-01-31&per_page=200",
  ...["company", "owner", "city", "month", "product"].map(
    (by) => `/api/v1/reports/sales?from=2025-12-01&to=2026-11-30&by=${by}&per_page=200`,
  ),
  "/api/v1/payments?per_page=200",
];

async function sumsAt(url: string, token: string): Promise<string[]> {
  const sums: string[] = [];
  for (const path of REPORTS) {
    const { status, text } = await request(url, "GET", path, undefined, { token });
    assert.equal(status, 200, `${path}: ${text}`);
    sums.push(text.replaceAll(url, ""));
  }
  return sums;
}

/** What removes a person, and what takes a whole workspace elsewhere: no sum changes. */
export const moves = {
  async erased({ server, tenant, ...stage }: Stage) {
    const company = oneOf(stage, stage.companies);
    const person = { first_name: "Ana", last_name: "Pop", email: "ana@example.com" };
    const { data } = (await tenant.post(`/api/v1/companies/${company}/contacts`, person)).body;
    const before = await sumsAt(server.url, tenant.token);
    const { status, text } = await tenant.post(`/api/v1/contacts/${data.id}/erase`);
    assert.equal(status, 200, text);
    assert.deepEqual(await sumsAt(server.url, tenant.token), before);
  },
  /** To another installation, which restores its file. */
  async moved({ server, tenant }: Stage) {
    const before = await sumsAt(server.url, tenant.token);
    // No restore accepts the cheap hash of a test server.
    await server.sql("update users set password_hash = $2 where tenant_id = $1", [tenant.id, HASH_OF_PROGRAM]);
    const file = server.file("");
    const { code, stderr } = await server.run("tenant", "backup", tenant.slug, file, "--json");
    assert.equal(code, 0, stderr);
    const elsewhere = await createInstallation();
    await elsewhere.json(["tenant", "restore", file]);
    assert.deepEqual(await sumsAt(await elsewhere.serve(), tenant.token), before);
  },
};
