import { bulkWrites, type Bulk } from "../platform/bulk.ts";
import { columnsOf, encryptedFields, namesOf } from "../platform/sql.ts";
import type { Statement } from "../platform/statement.ts";
import { companyFields } from "./company.ts";

const fieldsOf = (fields: typeof companyFields) => columnsOf(namesOf(fields), "c");

/** Companies by the hundred. A company is known by its tax id. */
export const companyBulk: Bulk = {
  ...bulkWrites("companies", companyFields),
  key: {
    field: "tax_id",
    index: "companies_tax_id",
    find: {
      name: "lock_companies_by_tax_id",
      text: `with found as materialized (select ordinal, id from company_ids_by_tax_id($2::text[]))
      select found.ordinal, c.id, ${fieldsOf(encryptedFields(companyFields))}
      from found join companies c on c.tenant_id = $1 and c.id = found.id and c.deleted_at is null
      where c.id = any(array(select id from found))
      order by c.id for no key update of c`,
    },
  },
  page: {
    name: "export_companies",
    text: `select c.id, ${fieldsOf(companyFields)} from companies c
    where c.tenant_id = $1 and c.id > $2 and c.deleted_at is null order by c.id limit $3`,
  },
};

/**
 * The live companies that have one of the tax ids ($2, text[]) or ids ($3, bigint[]): the tax id's place from 1, or null
 * for an id, and the id. Locked, so that none is deleted while rows that belong to it are inserted: a soft delete is an
 * update, which a foreign key's lock would not keep out.
 */
export const shareCompaniesStatement: Statement = {
  name: "share_companies",
  text: `with named as materialized (
    select ordinal, id from company_ids_by_tax_id($2::text[])
    union all
    select null, id from unnest($3::bigint[]) id
  ) select named.ordinal, c.id
  from named join companies c on c.tenant_id = $1 and c.id = named.id and c.deleted_at is null
  where c.id = any(array(select id from named))
  order by c.id for share of c`,
};
