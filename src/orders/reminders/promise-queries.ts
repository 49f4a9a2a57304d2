import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

const promise = selectList({ companyId: column.text("p.company_id"), until: column.text("p.until"), note: "p.note" });

/** The day by which a company has promised to pay. */
export type Promised = Selected<typeof promise>;

export const promisesOf = quickQuery<[companies: string[]]>(
  "promises_of_companies",
  `select ${promise.sql} from promises p where p.tenant_id = $1 and p.company_id = any($2::bigint[])`,
).all(promise.read);

/**
 * Stores the promise of a company in place of its earlier one; false if it is the same. Its id is another, so that no
 * merge moves it back.
 */
export const savePromise = writeQuery<[company: string, until: string, note: string | null, by: string]>(
  "save_promise",
  `insert into promises (tenant_id, company_id, until, note, changed_by) values ($1, $2, $3::date, $4, $5)
  on conflict (tenant_id, company_id) do update
    set id = excluded.id, until = excluded.until, note = excluded.note, changed_by = excluded.changed_by, created_at = excluded.created_at
  where (promises.until, promises.note) is distinct from (excluded.until, excluded.note) returning id`,
).exists();

export const endPromise = writeQuery<[company: string]>(
  "end_promise",
  "delete from promises where tenant_id = $1 and company_id = $2",
).nothing();
