import { createHash } from "node:crypto";
import type pg from "pg";

/** The migrations that make the schema of an empty database. Later ones follow them. */
export const BASELINE = [
  "0001_tenants-and-users",
  "0002_history-feed-and-webhooks",
  "0003_companies-and-contacts",
  "0004_jobs-and-invoices",
  "0005_imports",
];

/** The last commit with the migrations that the baseline replaced. Its schema is the baseline's. */
export const COMMIT_BEFORE = "20105b5";
/** Those migrations: the first one, their number, and the digest of their names. */
const REPLACED = {
  first: "0001_foundation",
  count: 69,
  sha256: "33486dbb0164376948a9c7016230130cfb19e5a910a3bc29083f4ef52d822c7e",
};

/** Applied migrations, with the baseline in place of those that it replaced; null: a part of these is missing. */
export function withBaseline(applied: readonly string[]): string[] | null {
  if (applied[0] !== REPLACED.first) return [...applied];
  const replaced = applied.slice(0, REPLACED.count).join("\n");
  if (createHash("sha256").update(replaced).digest("hex") !== REPLACED.sha256) return null;
  return [...BASELINE, ...applied.slice(REPLACED.count)];
}

/** Records the baseline in a database in place of the migrations that it replaced, all of which the database has. */
export async function nameBaseline(client: pg.Client): Promise<void> {
  await client.query(
    `with applied as (select id, row_number() over (order by run_on, id) as place from migrations),
      gone as (delete from migrations m using applied a where a.id = m.id and a.place > $1 and a.place <= $2)
    update migrations m set name = ($3::text[])[a.place] from applied a where a.id = m.id and a.place <= $1`,
    [BASELINE.length, REPLACED.count, BASELINE],
  );
}
