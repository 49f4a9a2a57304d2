import { CUSTOM, keyOf, METADATA, withAbsentKeys } from "../../../platform/fields/custom.ts";
import type { Draft } from "../../../platform/fields/draft.ts";
import { EXTERNAL } from "../../../platform/fields/external-ids.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { StoredBefore, Target } from "../kind.ts";
import type { Existing } from "./find-existing.ts";

/** A row that may be an update. */
type Updating = { existing: Existing | undefined; draft: Draft; isMoved: boolean };

/**
 * The stored rows of the updates, by id, if the target needs them or an update keeps some values. They are already
 * locked.
 */
export async function findStored(
  run: Run,
  target: Target,
  drafts: readonly Updating[],
): Promise<Map<string, StoredBefore>> {
  const names = writtenColumns(target);
  const updates = drafts.filter(({ existing }) => existing !== undefined);
  const isWhole = ({ draft: { values }, isMoved }: Updating) =>
    names.every((name) => (name === "company_id" ? isMoved : values[name] !== undefined));
  const isNeeded = target.returnsStored || !updates.every(isWhole);
  if (!isNeeded || updates.length === 0) return new Map();
  const ids = [...new Set(updates.map(({ existing }) => existing?.id ?? ""))];
  const found = await target.bulk.stored(names)(run, ids);
  if (!names.includes(METADATA)) return found;
  const keys = target.header.columns.flatMap(({ name }) => keyOf(name) ?? []);
  for (const { columns } of found.values()) columns[METADATA] = withAbsentKeys(columns[METADATA] ?? null, keys);
  return found;
}

/** The columns that the rows of a file write. */
export function writtenColumns({ bulk, header }: Target): string[] {
  const sent = new Set(header.columns.map(({ name }) => name));
  const written = [...bulk.fields.map(({ name }) => name), ...(bulk.external === undefined ? [] : [EXTERNAL])];
  const columns = written.filter((name) => keyOf(name) === null && sent.has(name));
  if (bulk.hasCustom && [...sent].some((name) => name === CUSTOM || keyOf(name) !== null)) columns.push(METADATA);
  return header.namesCompany && header.moves ? ["company_id", ...columns] : columns;
}
