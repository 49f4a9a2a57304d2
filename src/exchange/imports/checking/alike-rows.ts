import { hasCompanies } from "../../../customers/alike/alike-candidate-queries.ts";
import { findAlikeTo, type AlikeFound } from "../../../customers/alike/alike-to.ts";
import { catchUp } from "../../../customers/alike/find-alike.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { PRICES } from "../../../platform/sharing/prices.ts";
import { shortened, trim } from "../../../platform/text.ts";
import { readJson, storeJson } from "../import-file-queries.ts";
import type { BatchOutcome, Kind } from "../kind.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportRow } from "../reading/rows.ts";

/** A row that looks like stored companies, the sure ones first. `chosen`: the id of the one that it updates instead. */
export type AlikeRow = { line: number; name: string; companies: AlikeFound[]; chosen: string | null };

/** The number of all such rows, of the sure ones among them, and of those that update the company; the first rows. */
export type AlikeCounts = { rows: number; sure: number; chosen: number; first: [line: number, name: string][] };

/** Rows that are stored, companies of each, and characters of a name. */
const [MOST_ROWS, MOST_COMPANIES, NAME_LENGTH] = [10_000, 3, 100];
/** Steps of STEP companies that a check waits for, if companies were never compared. */
const MOST_STEPS = 120;

/** Finds the stored companies that the new rows of a page's file look like. */
export async function findingAlike(deps: Deps, tenant: TenantId, { bulk }: Kind, reading: Reading) {
  const mayBeAlike = bulk.table === "companies" && reading.language !== null && !reading.namedById;
  // The first file of a workspace has nothing to be compared with.
  const isAsked = mayBeAlike && (await hasCompanies(tenant, deps.database));
  const found: AlikeRow[] = [];
  if (isAsked) await catchUp(deps, tenant, MOST_STEPS);
  async function rest(companies: number): Promise<void> {
    await deps.sharing.time.waitForTurn(tenant, PRICES.itemOfBatch * companies, deps.database.caller);
  }
  return {
    /** Returns the companies of these rows that look like one, by line. */
    async look(rows: readonly ImportRow[], outcome: BatchOutcome): Promise<ReadonlyMap<number, AlikeRow>> {
      const told = new Map<number, AlikeRow>();
      if (!isAsked || found.length >= MOST_ROWS) return told;
      const created = new Set(outcome.rows.flatMap(({ line, outcome: what }) => (what === "created" ? line : [])));
      const asked = rows.filter(({ line }) => created.has(line) || reading.instead.has(line));
      const all = await findAlikeTo(
        deps,
        tenant,
        asked.map(({ input }) => input),
        rest,
      );
      for (const [index, { line, input }] of asked.entries()) {
        const companies = (all[index] ?? []).slice(0, MOST_COMPANIES);
        if (companies.length === 0) continue;
        const name = shortened(typeof input.name === "string" ? trim(input.name) : "", NAME_LENGTH);
        const row = { line, name, companies, chosen: reading.instead.get(line) ?? null };
        told.set(line, row);
        if (found.length < MOST_ROWS) found.push(row);
      }
      return told;
    },
    counts: (): AlikeCounts => ({
      rows: found.length,
      sure: found.filter(({ companies: [first] }) => first?.isSure === true).length,
      chosen: reading.instead.size,
      first: inOrder()
        .slice(0, 3)
        .map(({ line, name }) => [line, name]),
    }),
    rows: inOrder,
  };

  /** By their lines. */
  function inOrder(): AlikeRow[] {
    return found.toSorted((a, b) => a.line - b.line);
  }
}

export async function storeAlike(tenant: TenantId, deps: Deps, id: string, rows: readonly AlikeRow[]): Promise<void> {
  await storeJson(tenant, deps, id, "alike", rows);
}

/** Throws UndecryptableValue. */
export async function readAlike(tenant: TenantId, deps: Deps, id: string): Promise<AlikeRow[]> {
  return ((await readJson(tenant, deps, id, "alike")) ?? []) as AlikeRow[];
}
