import type pg from "pg";
import type { SeededTenant } from "../tenants/seed.ts";
import type { LoadRequest } from "./load-job.ts";

export async function companiesToDelete(owner: pg.Client, { id }: SeededTenant, count: number): Promise<LoadRequest[]> {
  const { rows } = await owner.query(
    "insert into companies (tenant_id, name, country) select $1, 'To be deleted', 'Romania' from generate_series(1, $2) returning id",
    [id, count],
  );
  return rows.map((row) => ({ method: "DELETE", path: `/api/v1/companies/${row.id}` }));
}

/** Takes away what a round created. Its history stays, as it does in production. */
export async function removeCreated(owner: pg.Client, { id, firstCompany, companies }: SeededTenant): Promise<void> {
  await owner.query("delete from companies where tenant_id = $1 and id >= $2", [id, firstCompany + companies]);
}

/**
 * A fold takes 10,000 changes of the counts at most, and those of which it knows that no write before them is under
 * way.
 */
const FOLDS = 12;

/**
 * Adds up what a round changed in the counts. The product does so while it writes; the ideal server and the limit leave
 * theirs, which every list after them would pay for.
 */
export async function foldCounts(owner: pg.Client, { id }: SeededTenant): Promise<void> {
  for (let fold = 0; fold < FOLDS; fold++) {
    await owner.query("insert into company_count_sums (tenant_id) values ($1)", [id]);
  }
}

const IDLE_PATIENCE_MS = 60_000;

/**
 * Waits until PostgreSQL has nothing to do for anybody: what a round left behind when it ended would be measured with
 * the next one. What still runs then is nobody's any more, so it is cancelled.
 */
export async function untilIdle(owner: pg.Client): Promise<void> {
  const deadline = performance.now() + IDLE_PATIENCE_MS;
  for (let quiet = 0; quiet < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await owner.query(
      `select query_start < now() - interval '250 milliseconds' and pg_cancel_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and state <> 'idle' and application_name <> 'liaison bench'`,
    );
    quiet = rows.length === 0 ? quiet + 1 : 0;
    if (performance.now() > deadline) throw new Error("PostgreSQL does not come to rest");
  }
}
