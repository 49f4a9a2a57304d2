import { EXTERNAL, externalIdsOf, tooMany, type ExternalId } from "../../platform/fields/external-ids.ts";
import { textOrNull, type Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { violatesCheck } from "../../platform/postgres/failures.ts";
import { callsOf, stepQuery, type Step } from "../../platform/postgres/query.ts";
import { column, selectList, type Call } from "../../platform/postgres/statement.ts";
import { uniqueIndex, type Refusing } from "../../platform/postgres/taken.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { errors } from "../errors.ts";

/** The unique index on the external ids of live resources. */
export const EXTERNAL_INDEX = "external_ids_pkey";

export const externalHolder = selectList({
  type: column.text("e.type"),
  id: column.number("e.resource_id"),
  source: column.text("e.source"),
  external_id: column.text("e.external_id"),
});

/** A live resource that has an external id. */
export type ExternalIdHolder = ReturnType<typeof externalHolder.read>;

/**
 * The rows `e` of external_ids with these ids, each with the `ordinal` of its id. A look-up per id: without the limit,
 * PostgreSQL may read all external ids of the tenant.
 * @param sources an array as SQL, as long as `ids`
 */
export function holdersOf(type: string, sources: string, ids: string): string {
  return `unnest(${sources}::text[], ${ids}::text[]) with ordinality as sent (source, external_id, ordinal)
  cross join lateral (
    select e.* from external_ids e
    where e.tenant_id = $1 and e.type = ${type} and e.source = sent.source and e.external_id = sent.external_id
    limit 1
  ) e`;
}

const findingHolders = callsOf<[type: string, sources: readonly string[], ids: readonly string[]]>(
  "external_id_holders",
  `select ${externalHolder.sql} from ${holdersOf("$2", "$3", "$4")} order by sent.ordinal`,
);

/** The call that finds the live resources of a type that have these external ids, in their order (externalHolder). */
export function findingExternalHolders(type: string, ids: readonly ExternalId[]): Call {
  return findingHolders(type, ...externalArrays(ids));
}

/** The live resources of a type that have these external ids, in their order. */
export async function findExternalHolders(
  tenant: TenantId,
  database: Database,
  type: string,
  ids: readonly ExternalId[],
): Promise<ExternalIdHolder[]> {
  if (ids.length === 0) return [];
  const [rows = []] = await database.quick.readAll(tenant, [findingExternalHolders(type, ids)]);
  return rows.map(externalHolder.read);
}

/** The stored external ids of rows of a table, by the ids of the rows. */
export function findExternalIds(table: string): Step<[ids: readonly string[]], Map<string, string | null>> {
  return stepQuery<[ids: readonly string[]]>(
    `external_ids_of_${table}`,
    `select t.id, t.${EXTERNAL} from ${table} t where t.tenant_id = $1 and t.id = any($2::bigint[])`,
  ).of((rows) => new Map(rows.map(([id, external = null]) => [String(id), external])));
}

/** External ids as two arrays: the sources and the ids. */
export function externalArrays(ids: readonly ExternalId[]): [sources: string[], ids: string[]] {
  return [ids.map(({ source }) => source), ids.map(({ externalId }) => externalId)];
}

/**
 * The constraints of a resource's external ids: the unique index decides whether another one has an id in `values`, and
 * the database counts those that the resource has. They throw externalIdTaken and validationFailed.
 * @param id of the resource; null for a new one
 */
export function externalConstraints(
  tenant: TenantId,
  database: Database,
  { type, id, values }: { type: string; id: string | null; values: Values },
): Refusing<never>[] {
  const sent = textOrNull(values[EXTERNAL]);
  if (sent === null) return [];
  const index = uniqueIndex<never>(EXTERNAL_INDEX, async () => {
    const found = await findExternalHolders(tenant, database, type, externalIdsOf(sent));
    const other = found.find((each) => String(each.id) !== id);
    if (other !== undefined) throw errors.externalIdTaken(other);
    return null;
  });
  const most: Refusing<never> = {
    isViolated: (error) => violatesCheck(error, "external_ids_most"),
    outcome: async () => {
      throw errors.validationFailed({ [EXTERNAL]: tooMany });
    },
  };
  return [index, most];
}
