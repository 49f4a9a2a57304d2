import { EXTERNAL, parseExternalId } from "../../platform/fields/external-ids.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { parseSince, UPDATED_SINCE } from "../../platform/http/lists/since.ts";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readNamed } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { ExactLookUp } from "../../platform/reads/statements.ts";
import { composed, isStorable, trim } from "../../platform/text.ts";
import { errors } from "../errors.ts";
import { findExternalHolders } from "./external-id-queries.ts";

/** A parameter that limits a list to the resources with its value, found by an index. */
export type ListLookUp = {
  name: string;
  /** The ids of the resources that have the value; none if it cannot be a value. */
  find: (tenant: TenantId, database: Database, value: string) => Promise<string[]>;
};

/** The ids that a list is limited to. */
export type LookedUp = {
  ids: string[];
  /** The look-ups as they were requested: cursors belong to them. */
  asked: readonly unknown[];
};

/** The most ids that `ids` may have. */
export const IDS_MAX = 200;

const byIds: ListLookUp = {
  name: "ids",
  find: async (_tenant, _database, value) => {
    const asked = new Set(value.split(",").map(trim));
    asked.delete("");
    if (asked.size > IDS_MAX) throw errors.validationFailed({ ids: [{ code: "tooManyItems", bound: IDS_MAX }] });
    return [...asked].filter(isId);
  },
};

/** The look-ups of a type's lists: by external id, by ids, and its own. */
export function lookUpsOf(type: string, own: readonly ExactLookUp[] = []): readonly ListLookUp[] {
  const byExternalId: ListLookUp = {
    name: EXTERNAL,
    find: async (tenant, database, value) => {
      const id = parseExternalId(value);
      const found = id === null ? [] : await findExternalHolders(tenant, database, type, [id]);
      return found.map((holder) => String(holder.id));
    },
  };
  const byStatement = ({ name, statement }: ExactLookUp): ListLookUp => ({
    name,
    find: async (tenant, database, value) => {
      const stored = composed(value);
      return stored === null
        ? []
        : (await readNamed(tenant, database.quick, statement, { value: stored })).map(([id]) => String(id));
    },
  });
  return [byExternalId, byIds, ...own.map(byStatement)];
}

/**
 * Throws for an `updated_since` that is no timestamp.
 * @param require as of `lookUp`
 */
export async function requireSince(query: Query, require: () => Promise<void>): Promise<void> {
  const text = query.get(UPDATED_SINCE);
  if (text === undefined || parseSince(text) !== null) return;
  await require();
  throw errors.validationFailed({ [UPDATED_SINCE]: [{ code: "notTimestamp" }] });
}

/**
 * The resources that all of the query's look-ups find; null without a look-up.
 * @param require throws if the list does not exist, which is reported before a wrong look-up
 */
export async function lookUp(
  tenant: TenantId,
  database: Database,
  lookUps: readonly ListLookUp[],
  query: Query,
  require: () => Promise<void> = async () => {},
): Promise<LookedUp | null> {
  const requested = lookUps.flatMap(({ name, find }) => {
    const value = query.get(name);
    return value === undefined ? [] : [{ name, find, value }];
  });
  if (requested.length === 0) return null;
  await require();
  let ids: string[] | null = null;
  for (const { find, value } of requested) {
    const found = new Set(isStorable(value) ? await find(tenant, database, value) : []);
    ids = ids === null ? [...found] : ids.filter((id) => found.has(id));
  }
  return { ids: ids ?? [], asked: requested.flatMap(({ name, value }) => [name, value]) };
}
