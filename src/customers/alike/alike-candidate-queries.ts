import type { Run } from "../../platform/postgres/database.ts";
import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { AlikeKeys, Compared } from "./compare-companies.ts";

/** Others with the same key that a company is compared with. A key that more have says little. */
export const MOST_OF_KEY = 20;

/** The columns that a company is compared by. */
export const comparedColumns = (alias: string, phone: string) => ({
  id: column.text(`${alias}.id`),
  name: column.text(`${alias}.name`),
  taxId: `${alias}.tax_id`,
  phone,
  email: `${alias}.email`,
  city: `${alias}.city`,
});

export type ColumnsOfKeys = { nameKeys: (string | null)[]; domains: (string | null)[] };

/** Keys by which a company (`of`) is found, and finds others. */
export type KeysOfCompany = AlikeKeys & { of: string };

export function columnsOfKeys(keys: readonly AlikeKeys[]): ColumnsOfKeys {
  return { nameKeys: keys.map(({ nameKey }) => nameKey), domains: keys.map(({ domain }) => domain) };
}

/** A live company, which is looked up by its id (SQL): a join may read all companies. */
export function liveCompany(alias: string, id: string, columns: string): string {
  return `cross join lateral (
    select ${columns} from companies c where c.tenant_id = $1 and c.id = ${id} and c.deleted_at is null limit 1
  ) ${alias}`;
}

const candidate = selectList({ of: column.text("c.of_id"), ...comparedColumns("c", "c.phone") });
export type AlikeCandidate = Selected<typeof candidate>;

const findCandidates = stepQuery<
  { ids: string[]; numbers: (string | null)[]; phones: (string | null)[] } & ColumnsOfKeys
>(
  "find_alike",
  `select distinct ${candidate.sql}
  from companies_with_keys(:ids::bigint[], :numbers::text[], :phones::text[], :nameKeys::text[], :domains::text[], ${MOST_OF_KEY}) c
  where $1::bigint is not null`,
).all(candidate.read);

/** The stored companies that have a key of another one (`of`). */
export async function findByKeys(run: Run, keys: readonly KeysOfCompany[]): Promise<AlikeCandidate[]> {
  if (keys.length === 0) return [];
  const [ids, numbers, phones] = [
    keys.map(({ of }) => of),
    keys.map(({ number }) => number),
    keys.map(({ phone }) => phone),
  ];
  return await findCandidates(run, { ids, numbers, phones, ...columnsOfKeys(keys) });
}

/** The stored companies that have a key of a new company; `index`: its place among them. */
export async function findByKeysOfNew(run: Run, keys: readonly AlikeKeys[]): Promise<(Compared & { index: number })[]> {
  // No stored company has such an id.
  const ofNew = keys.map((each, index) => Object.assign({ of: String(-index) }, each));
  return (await findByKeys(run, ofNew)).map(({ of, ...company }) => Object.assign(company, { index: -Number(of) }));
}

/** Whether the tenant has companies that others may look like. */
export const hasCompanies = quickQuery(
  "has_companies",
  "select exists (select from companies c where c.tenant_id = $1 and c.deleted_at is null)",
).of((rows) => oneValue(rows) === "t");
