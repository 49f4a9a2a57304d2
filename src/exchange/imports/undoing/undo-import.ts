import { customNouns, tableOfNoun } from "../../../customers/custom-fields/custom-field.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Job } from "../../../kit/jobs/job.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import { METADATA, withoutOtherKeys } from "../../../platform/fields/custom.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { isRefused } from "../../../platform/postgres/failures.ts";
import { COMPANY_ID } from "../columns/company-columns.ts";
import { forgetFile } from "../import-file-queries.ts";
import type { ClaimedImport } from "../import-run-queries.ts";
import type { Kind } from "../kind.ts";
import { kindOf, kindsOf } from "../kinds.ts";
import { findParents, parentOf } from "../writing/parent-companies.ts";
import { noteSameAgain } from "./same-again-queries.ts";
import {
  keysSinceImport,
  noteOutcomes,
  pickRows,
  undoQueries,
  type Judged,
  type UnchangedReason,
  type Picked,
} from "./undo-queries.ts";
import { storedAgain } from "./undo-rows.ts";

/** Few rows, so that no lock is held for long. */
const BATCH_ROWS = 200;

/**
 * Undoes an import in batches. Created rows are deleted, changed rows get their earlier values back. Rows that were
 * changed since are left unchanged. Throws ClaimLost.
 */
export async function undoImport(deps: Deps, job: Job, claimed: ClaimedImport): Promise<void> {
  const { tenant, stop } = job;
  const kind = kindOf(claimed.kind);
  for (;;) {
    stop.throwIfAborted();
    const picked = await pickRows(tenant, deps.database, claimed.id, BATCH_ROWS);
    if (picked.length === 0) break;
    // Contacts before their companies, which could not be deleted with them.
    const [persons, rows] = [picked.filter(({ isPerson }) => isPerson), picked.filter(({ isPerson }) => !isPerson)];
    if (persons.length > 0) await undoRows({ deps, job, claimed, kind: kindOf("contacts") }, persons);
    if (rows.length > 0) await undoRows({ deps, job, claimed, kind }, rows);
    kind.bulk.wrote?.(tenant, deps.database);
  }
  await kind.bulk.finish?.(tenant, deps.database);
  await forgetFile(tenant, deps.database, claimed.id);
}

type Undo = { deps: Deps; job: Job; claimed: ClaimedImport; kind: Kind };

/**
 * Undoes rows in one transaction. A row that the database rejects (for example a tax id in use again) costs only
 * itself.
 */
async function undoRows(undo: Undo, picked: Picked[], refused: UnchangedReason | null = null): Promise<void> {
  const { deps, job, claimed, kind } = undo;
  const { tenant } = job;
  const queries = undoQueries(kind.bulk.table);
  const by = `user:${claimed.undoneBy}`;
  try {
    await deps.database.transaction(tenant, async (run) => {
      const judged = await queries.lockAndJudge(run, picked);
      const free = judged.filter(({ reason }) => reason === null && refused === null);
      const created = free.filter(({ isCreated }) => isCreated).map(({ resourceId }) => resourceId);
      if (created.length > 0) await queries.remove(run, created, by);
      const lost = await restoreRows(
        undo,
        run,
        free.filter(({ isCreated }) => !isCreated),
        by,
      );
      const outcomes = judged.map(({ id, isCreated, reason }) => {
        const why = reason ?? refused ?? lost.get(id);
        return { id, outcome: why ?? (isCreated ? ("deleted" as const) : ("restored" as const)) };
      });
      await noteOutcomes(run, claimed, outcomes);
    });
  } catch (error) {
    if (!isRefused(error) || refused !== null) throw error;
    if (picked.length === 1) return await undoRows(undo, picked, "taken");
    const half = picked.length >> 1;
    await undoRows(undo, picked.slice(0, half));
    await undoRows(undo, picked.slice(half));
  }
}

/** Restores rows; returns the ids of the records that could not be restored. */
async function restoreRows(
  { deps, job, claimed, kind }: Undo,
  run: Run,
  rows: readonly Judged[],
  by: string,
): Promise<Map<string, UnchangedReason>> {
  const lost = new Map<string, UnchangedReason>();
  const secrets = { keyring: deps.keyring, tenant: job.tenant };
  const entries = rows.flatMap(({ id, resourceId, versionBefore, before }) => {
    try {
      return [{ id, resourceId, versionBefore, columns: storedAgain(kind, before ?? "", secrets) }];
    } catch (error) {
      if (!(error instanceof UndecryptableValue)) throw error;
      lost.set(id, "unreadable");
      return [];
    }
  });
  // The values of a field that was deleted since are gone, and its key may be another field's.
  const noun = customNouns.find((each) => tableOfNoun[each] === kind.bulk.table);
  const custom = entries.filter(({ columns }) => columns[METADATA] != null);
  const keys = new Set(noun === undefined || custom.length === 0 ? [] : await keysSinceImport(run, noun, claimed.id));
  for (const { columns } of custom) columns[METADATA] = withoutOtherKeys(columns[METADATA] ?? "", keys);
  const parents = entries.flatMap(({ columns }) =>
    columns[COMPANY_ID] == null ? [] : [{ parent: parentOf({ [COMPANY_ID]: columns[COMPANY_ID] }) }],
  );
  const { live } = parents.length === 0 ? { live: null } : await findParents(run, parents);
  const writable = entries.filter(({ id, columns }) => {
    const parent = columns[COMPANY_ID];
    if (parent == null || live === null || live.has(parent)) return true;
    lost.set(id, "gone");
    return false;
  });
  const [first] = writable;
  if (first === undefined) return lost;
  const restore = kind.writes.update(Object.keys(first.columns));
  const written = writable.map(({ resourceId, columns }) => Object.assign(columns, { id: resourceId, changed_by: by }));
  const versions = new Map((await restore(run, JSON.stringify(written))).map(({ id, version }) => [id, version]));
  const restored = writable.flatMap(({ resourceId, versionBefore }) => {
    const version = versions.get(resourceId);
    return version == null ? [] : [{ resource_id: resourceId, version_before: versionBefore, version }];
  });
  await noteSameAgain(run, kindsOf(kind.bulk.table), restored);
  return lost;
}
