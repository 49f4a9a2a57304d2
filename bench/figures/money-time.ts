import type pg from "pg";
import { startProduct } from "../candidates/servers.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { stopProcess } from "../load/processes.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed, type SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { beginSession, time } from "./page-time.ts";

/** The invoices of a small and of a large workspace, and of all others together. */
export type MoneySizes = { small: number; large: number; others: number };

export const FULL_MONEY: MoneySizes = { small: 50_000, large: 1_000_000, others: 5_000_000 };
export const QUICK_MONEY: MoneySizes = { small: 200, large: 1_000, others: 500 };

/** Of one company, over three years. */
const INVOICES_PER_COMPANY = 50;
const DAYS = 1_100;
/** Milliseconds of a page of a small workspace, and of a large one. */
const [SMALL_MS, LARGE_MS] = [100, 300];
const PARTS = 100_000;

/** The pages of money of a year: who owes, and who bought, beside the invoices of other workspaces. */
export async function moneyFigures(
  dataDir: string,
  { small, large, others }: MoneySizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const sizes = { small, large, others };
  const asked = Object.entries(sizes).map(([slug, invoices]) => ({
    slug,
    companies: Math.ceil(invoices / INVOICES_PER_COMPANY),
  }));
  const { cluster, seeded } = await seed(dataDir, asked, progress);
  const owner = await connectAsOwner(cluster.connection);
  const figures: Figure[] = [];
  let product: Awaited<ReturnType<typeof startProduct>> | null = null;
  try {
    for (const [slug, invoices] of Object.entries(sizes)) {
      await fillSales(owner, seeded.get(slug) as SeededTenant, invoices, progress);
    }
    progress("vacuum analyze");
    // Rows whose commit is not on disk yet are looked up in the table, not in an index alone.
    await owner.query("checkpoint");
    await owner.query("vacuum analyze invoices");
    product = await startProduct("product", ROOT, dataDir);
    for (const [slug, atMost] of [
      ["small", SMALL_MS],
      ["large", LARGE_MS],
    ] as const) {
      const tenant = seeded.get(slug) as SeededTenant;
      const of = `${sizes[slug].toLocaleString("en")} invoices`;
      const cookie = `liaison=${await beginSession(owner, tenant)}`;
      await untilIdle(owner);
      for (const [name, path, goal] of [
        ["/money", "/money", atMost],
        ["/sales of a year by company", "/sales?period=12_months", atMost],
        ["/sales of a year by product", "/sales?period=12_months&by=product", undefined],
        ["/sales of a year by month", "/sales?period=12_months&by=month", undefined],
      ] as const) {
        progress(`${name}, ${of}`);
        const value = await time(`${product.url}${path}`, { cookie, accept: "text/html" });
        figures.push({ name: `${name}, ${of}`, value, unit: "ms", ...(goal !== undefined && { atMost: goal }) });
      }
    }
  } finally {
    if (product !== null) await stopProcess(product.process);
    await owner.end();
    await cluster.release();
  }
  return figures;
}

/** Invoices with two lines, of which one in twelve is open. Triggers rest: nobody asks for their history. */
async function fillSales(
  owner: pg.Client,
  { id, companies, firstCompany }: SeededTenant,
  count: number,
  progress: (message: string) => void,
): Promise<void> {
  await owner.query("set session_replication_role = replica");
  for (let from = 1; from <= count; from += PARTS) {
    progress(`invoices of ${id}: ${from.toLocaleString("en")}`);
    await owner.query(
      `insert into invoices (tenant_id, company_id, number, issued_on, due_on, total, paid, currency, status, lines)
      select $1, $2::bigint + n % $3::integer, 'SOLD-' || n, s.day, s.day + 30, s.total,
        case s.status when 'paid' then s.total else 0 end, case when n % 10 = 3 then 'EUR' else 'RON' end, s.status,
        json_build_array(
          json_build_object('sku', 'SKU-' || n % 211, 'description', 'Goods ' || n % 211, 'quantity', '2', 'unit_price', s.total / 4),
          json_build_object('sku', 'SKU-' || n % 97, 'description', 'Goods ' || n % 97, 'quantity', '1', 'unit_price', s.total / 2))::text
      from generate_series($4::integer, $5::integer) n cross join lateral (
        select current_date - ((n::bigint * 7919 + n / $3::integer * 617) % ${DAYS})::integer as day, 100 + n % 900 + n % 100 / 100.0 as total,
          case when n % 100 = 1 then 'draft' when n % 100 = 2 then 'cancelled' when n % 12 = 5 then 'issued' else 'paid' end as status
      ) s`,
      [id, firstCompany, companies, from, Math.min(from + PARTS - 1, count)],
    );
  }
  await owner.query("set session_replication_role = origin");
}
