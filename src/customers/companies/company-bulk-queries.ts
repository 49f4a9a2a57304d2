import { bulkWrites, type Bulk, type ExtraColumn, type Spellings } from "../../kit/bulk-queries.ts";
import { holdersOf } from "../../kit/external-ids/external-id-queries.ts";
import type { Writable } from "../../platform/fields/draft.ts";
import { exportStatement, type ExportedRows } from "../../platform/fields/exports.ts";
import { ciphertextsOf } from "../../platform/fields/sql.ts";
import { type NamedStatement, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { foldCounts, noteCounted } from "./company-count-queries.ts";
import { company, companyFields } from "./company.ts";
import { foundCompanies } from "./live-company-queries.ts";
import { MERGE_IMPORTED_AFTER, mergeSearchIndex, noteWritten } from "./search-index-queries.ts";
import { taxSpellings } from "./tax-spelling-queries.ts";

const foundColumns = { ordinal: "found.ordinal", id: "c.id", external: "c.external", formerIds: "c.former_ids" };
const found = ciphertextsOf(companyFields, "c", foundColumns);
// No condition: the planner would expect one row of it, and compare all with all.
const isSameTaxId =
  "coalesce(lower(normalize(c.tax_id, NFC)) = lower(normalize(($2::text[])[found.ordinal], NFC)), false)";
const identified = ciphertextsOf(companyFields, "c", { ...foundColumns, isStill: isSameTaxId });

const spelled = ciphertextsOf(companyFields, "c", {
  ...foundColumns,
  identity: "c.tax_id",
  isStill: isSameTaxId,
});

/** The companies of fiscal ids in any spelling, by one look-up per fiscal id. */
const locked: Spellings["lock"] = {
  find: stepQuery<[taxIds: readonly string[]]>(
    "lock_companies_by_tax_number",
    `with found as materialized (select ordinal, id from company_ids_by_tax_number($2::text[]))
      select ${spelled.sql} ${foundCompanies}
      order by c.id for no key update of c`,
  ).all(spelled.read),
  most: 30,
};

/** Most batches are of some hundred rows. The changes of their counts: four statuses in two blocks of ids. */
const COMPANIES_OF_A_BATCH = 500;
const CHANGES_OF_A_BATCH = 8;

/** Companies by the hundred. A company's tax id is its identity. */
export const companyBulk: Bulk = {
  ...bulkWrites(company),
  identity: {
    field: "tax_id",
    index: "companies_tax_id",
    ids: stepQuery<[taxIds: readonly string[]]>(
      "company_ids_by_tax_id",
      `with found as materialized (select id from company_ids_by_tax_id($2::text[]))
      select c.id ${foundCompanies}`,
    ).all(([id]) => String(id)),
    find: stepQuery<[taxIds: readonly string[]]>(
      "lock_companies_by_tax_id",
      `with found as materialized (select ordinal, id from company_ids_by_tax_id($2::text[]))
      select ${identified.sql} ${foundCompanies}
      order by c.id for no key update of c`,
    ).all(identified.read),
    spellings: { ...taxSpellings, lock: locked },
  },
  byId: stepQuery<[ids: readonly string[]]>(
    "lock_companies_by_id",
    `select ${found.sql}
      from unnest($2::bigint[]) with ordinality as found (id, ordinal)
      join companies c on c.tenant_id = $1 and c.id = found.id and c.deleted_at is null
      where c.id = any($2::bigint[])
      order by c.id for no key update of c`,
  ).all(found.read),
  wrote(tenant, database) {
    noteWritten(database, {}, COMPANIES_OF_A_BATCH, MERGE_IMPORTED_AFTER);
    noteCounted(tenant, database, CHANGES_OF_A_BATCH);
  },
  async finish(tenant, database) {
    await mergeSearchIndex(database);
    await foldCounts(tenant, database);
  },
  page: exportStatement("export_companies", company, "k.deleted_at is null"),
};

const chosen = exportStatement(
  "export_chosen_companies",
  company,
  "k.deleted_at is null and k.id = any(:ids::bigint[])",
);

export function chosenCompanies(ids: string[]): ExportedRows {
  return { page: chosen, values: { ids } };
}

/** "offset 0" keeps this a look-up per row. */
const companyOfRow = `cross join lateral (select c.id, c.tax_id from companies c
    where c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null offset 0) c`;

/** The page of a Bulk whose rows belong to live companies, which `company_id` and `company_tax_id` name. */
export function pageOfCompaniesRows(noun: Writable, condition = "true", name = `export_${noun.table}`): NamedStatement {
  return exportStatement(name, noun, condition, { columns: "c.id, c.tax_id, ", join: companyOfRow });
}

/** The column that every row of a company's has beside its fields. */
export const companyIdColumn: ExtraColumn = { name: "company_id", type: "bigint" };

/** `ordinal`: the place of a tax id among those asked for, from 1; null for a company that was asked for otherwise. */
const sharedCompany = selectList({
  ordinal: column.numberOrNull("named.ordinal"),
  id: column.text("c.id"),
  external: "c.external",
  formerIds: column.list<{ source: string; id: string }>("c.former_ids"),
});

/** A company that has a name: the place of the name among those asked for, from 1, and its id. */
const namedCompany = selectList({ ordinal: column.number("found.ordinal"), id: column.text("found.id") });

/** The live companies that have these names, at most two of each. They are not locked. */
export const findCompaniesByName = stepQuery<[names: readonly string[]]>(
  "company_ids_by_name",
  `with found as materialized (select ordinal, id from company_ids_by_name($2::text[]))
    select ${namedCompany.sql} ${foundCompanies}`,
).all(namedCompany.read);

/** `sources` and `externalIds`: the parts of external ids. */
export type SoughtCompanies = {
  taxIds: readonly string[];
  ids: readonly number[];
  sources: readonly string[];
  externalIds: readonly string[];
};

/**
 * The live companies that have one of the tax ids, ids or external ids. They are locked, so that none is deleted while
 * rows that belong to it are inserted: a soft delete is an update, which a foreign key's lock would not keep out.
 */
export const shareCompanies = stepQuery<SoughtCompanies>(
  "share_companies",
  `with named as materialized (
    select ordinal, id from company_ids_by_tax_id(:taxIds::text[])
    union all
    select null, id from unnest(:ids::bigint[]) id
    union all
    select null, e.resource_id from ${holdersOf("'company'", ":sources", ":externalIds")}
  ) select ${sharedCompany.sql}
  from named join companies c on c.tenant_id = $1 and c.id = named.id and c.deleted_at is null
  where c.id = any(array(select id from named))
  order by c.id for share of c`,
).all(sharedCompany.read);
