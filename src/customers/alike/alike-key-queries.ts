import type { Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { columnsOfKeys, comparedColumns, type ColumnsOfKeys, type KeysOfCompany } from "./alike-candidate-queries.ts";
import type { Compared } from "./compare-companies.ts";

const PHONE = "split_part(c.phone, '=', 2)";
const changed = selectList({
  changedId: column.text("sent.id"),
  digest: "c.digest",
  ...comparedColumns("c", PHONE),
});

const findChanged = stepQuery<[ids: readonly string[]]>(
  "changed_for_alike",
  `select ${changed.sql} from unnest($2::bigint[]) as sent (id)
  left join lateral (
    select c.*, hash_record_extended(row(c.name, c.tax_id, ${PHONE}, c.email, c.city), 0) as digest
    from companies c where c.tenant_id = $1 and c.id = sent.id and c.deleted_at is null limit 1
  ) c on true
  left join lateral (
    select k.compared from company_keys k where k.tenant_id = $1 and k.company_id = sent.id limit 1
  ) k on true
  where k.compared is distinct from c.digest`,
).all(changed.read);

/** A company as it is compared, and a digest of that. */
export type ChangedCompany = Compared & { digest: string };

/** Of these companies, those that changed in what they are compared by, and the ids of those that are gone. */
export async function readChanged(
  run: Run,
  ids: readonly string[],
): Promise<{ companies: ChangedCompany[]; gone: string[] }> {
  const rows = ids.length === 0 ? [] : await findChanged(run, ids);
  return {
    companies: rows.flatMap(({ digest, changedId: id, ...company }) =>
      digest === null ? [] : { ...company, id, digest },
    ),
    gone: rows.filter(({ digest }) => digest === null).map(({ changedId }) => changedId),
  };
}

const forgetKeys = stepQuery<[ids: readonly string[]]>(
  "forget_company_keys",
  "delete from company_keys k where k.tenant_id = $1 and k.company_id = any($2::bigint[]) returning k.company_id",
).nothing();

const storeKeys = stepQuery<{ ids: string[]; digests: string[] } & ColumnsOfKeys>(
  "keep_company_keys",
  `insert into company_keys (tenant_id, company_id, name_key, domain, compared)
  select $1::bigint, k.* from unnest(:ids::bigint[], :nameKeys::text[], :domains::text[], :digests::bigint[]) as k
  on conflict (tenant_id, company_id) do update
  set name_key = excluded.name_key, domain = excluded.domain, compared = excluded.compared
  returning company_id`,
).nothing();

/** Stores the keys of companies, each with the digest of its company, and forgets those of companies that are gone. */
export async function writeKeys(
  run: Run,
  keys: readonly (KeysOfCompany & { digest: string })[],
  gone: readonly string[],
): Promise<void> {
  if (gone.length > 0) await forgetKeys(run, gone);
  if (keys.length === 0) return;
  const ids = keys.map(({ of }) => of);
  await storeKeys(run, { ids, ...columnsOfKeys(keys), digests: keys.map(({ digest }) => digest) });
}
