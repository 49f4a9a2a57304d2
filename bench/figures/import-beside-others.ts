import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { useCluster } from "../../src/platform/cluster/embedded-postgres.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { connectAsOwner } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { ended, startImport, writeCompanies } from "./import-process.ts";

/**
 * `rows`: the rows of the imports that are compared. `many`: those of the import whose speed is measured. `others`: the
 * companies of another tenant.
 */
export type ImportSizes = { rows: number; many: number; others: number };

export const FULL_IMPORTS: ImportSizes = { rows: 20_000, many: 100_000, others: 1_000_000 };
export const QUICK_IMPORTS: ImportSizes = { rows: 300, many: 600, others: 1_000 };

/**
 * Imports into tenants that nothing knows of yet: into an empty database, and beside many companies of another tenant.
 */
export async function importBesideOthersFigures(
  dataDir: string,
  { rows, many, others }: ImportSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const cluster = await useCluster(dataDir);
  await migrate(cluster.connection);
  const owner = await connectAsOwner(cluster.connection);
  const importing = async (count: number, slug: string) => {
    progress(`import of ${told(count)} companies into the new tenant ${slug}`);
    return await timeImport(dataDir, owner, count, slug);
  };
  try {
    // The first process compiles.
    await importing(1, "first");
    const empty = await importing(rows, "empty");
    const next = await importing(many, "next");
    progress(`${told(others)} companies of another tenant`);
    await fillAnother(owner, others);
    const beside = await importing(rows, "beside");
    await owner.query("analyze");
    const analyzed = await importing(rows, "analyzed");
    return [
      { name: `import of ${told(many)} companies: rows per second`, value: (1_000 * many) / next, atLeast: 10_000 },
      { name: `import of ${told(rows)} companies into an empty database`, value: empty / 1_000, unit: "s" },
      { name: `the same beside ${told(others)} of others / that`, value: beside / empty, atMost: 1.5 },
      { name: "the same with statistics of that moment / that", value: analyzed / empty, atMost: 1.5 },
    ];
  } finally {
    await owner.end();
    await cluster.release();
  }
}

/** Milliseconds, the start of the process among them. */
async function timeImport(dataDir: string, owner: pg.Client, rows: number, slug: string): Promise<number> {
  const file = path.join(dataDir, `${slug}.csv`);
  writeCompanies(file, rows);
  const { rows: created } = await owner.query("insert into tenants (slug, name) values ($1, $1) returning id", [slug]);
  await untilIdle(owner);
  const began = performance.now();
  await ended(startImport(dataDir, { slug }, file));
  const took = performance.now() - began;
  fs.rmSync(file);
  const { rows: counted } = await owner.query("select count(*)::int as n from companies where tenant_id = $1", [
    created[0]?.id,
  ]);
  if (counted[0]?.n !== rows) throw new Error(`${counted[0]?.n} of ${rows} companies were imported`);
  return took;
}

/** Without triggers and keys, and with its search index made afterwards: that takes a tenth of the time. */
async function fillAnother(owner: pg.Client, companies: number): Promise<void> {
  const { rows } = await owner.query("select indexdef from pg_indexes where indexname = 'companies_search'");
  await owner.query("set session_replication_role = replica");
  await owner.query("drop index companies_search");
  await owner.query(
    `with other as (insert into tenants (slug, name) values ('other', 'other') returning id)
    insert into companies (tenant_id, name, tax_id, email, city, country)
    select other.id, 'Company ' || g, 'RO' || g, 'office' || g || '@company.example', 'Cluj', 'Romania'
    from other, generate_series(1, $1::integer) g`,
    [companies],
  );
  await owner.query(String(rows[0]?.indexdef));
  await owner.query("set session_replication_role = origin");
  await owner.query("vacuum analyze companies");
  await owner.query("checkpoint");
}

function told(rows: number): string {
  return rows.toLocaleString("en");
}
