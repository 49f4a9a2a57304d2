import { forgetDefined } from "../../customers/custom-fields/defined-fields.ts";
import { actingAs, type Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import { UndecryptableValue } from "../../platform/encryption/keyring.ts";
import { customName } from "../../platform/fields/custom.ts";
import { shortened } from "../../platform/text.ts";
import { findingAlike, storeAlike } from "./checking/alike-rows.ts";
import type { ChangedRow } from "./checking/changed-rows.ts";
import { countRows } from "./checking/count-rows.ts";
import { storeForeseen } from "./checking/foreseen-queries.ts";
import { listingRows, type CheckFindings } from "./checking/listed-rows.ts";
import { notingRows } from "./checking/noted-rows.ts";
import { rehearse } from "./checking/rehearse.ts";
import { storeSkipped, withCorrected } from "./checking/skipped-rows.ts";
import { archiveMade, defineMade } from "./define-made.ts";
import { forgetImport, readChunks, readJson, storeJson } from "./import-file-queries.ts";
import { keptFor } from "./import-queries.ts";
import { addProgress, beginCheck, endImport, addUndos, claimImport, type ClaimedImport } from "./import-run-queries.ts";
import { ClaimLost, ROWS_LIMIT, type ImportFailure, type ImportState } from "./import.ts";
import type { Kind, Rejection, Transact } from "./kind.ts";
import { kindOfTenant } from "./kinds.ts";
import { throttleOf } from "./reading/throttle-reading.ts";
import { undoImport } from "./undoing/undo-import.ts";
import { undoRowOf } from "./undoing/undo-rows.ts";
import { importCsv } from "./writing/import-csv.ts";
import { countsOf, nothingYet, type Progress } from "./writing/write-batch.ts";

/** After this number of attempts that failed or died, the import fails, and its page says so. */
const MOST_TRIES = 20;
/**
 * After this number of deaths at the same row, the file is the likely cause: only a person can start another attempt.
 */
const MOST_DEATHS = 2;

/**
 * Continues an import from its current state (docs/decisions/0033-imports-on-pages.md): checks its file, writes it, or
 * undoes it. If an attempt dies, the next one continues after the last committed batch.
 */
export async function runImport(deps: Deps, job: Job): Promise<Outcome | "finished"> {
  const claimed = await claimImport(job.tenant, deps.database, job);
  if (claimed === null) return { outcome: "done" };
  const end = async (state: ImportState, failure: ImportFailure | null = null): Promise<"finished"> => {
    await endImport(job.tenant, deps.database, claimed, job, { state, failure });
    return "finished";
  };
  if (claimed.deaths >= MOST_DEATHS) {
    deps.logger.error({ tenant: job.tenant, import: claimed.id }, "an import is stopped: two of its attempts died");
    return await end("failed", "deaths");
  }
  try {
    if (claimed.state === "undoing") {
      await undoImport(deps, job, claimed);
      await archiveMade(deps, personOf(job, claimed, claimed.undoneBy), claimed);
      return await end("undone");
    }
    claimed.reading = await withCorrected(deps, job.tenant, claimed);
    if (claimed.state === "running") {
      if (!(await defineMade(deps, personOf(job, claimed, claimed.startedBy), claimed)))
        return await end("failed", "field-taken");
      // As they are now, not as this process knew them some seconds ago.
      forgetDefined(job.tenant, deps.database);
      const kind = await kindOfTenant(job.tenant, deps.database, claimed.kind);
      if (await fillsGone(deps, job, claimed, kind)) return await end("failed", "field-gone");
      await write(deps, job, claimed, kind);
      return await end("done");
    }
    const failure = await check(deps, job, claimed);
    return await end(failure === null ? "checked" : "failed", failure);
  } catch (error) {
    if (error instanceof ClaimLost) return { outcome: "done" };
    if (error instanceof UndecryptableValue) return await end("failed", "unreadable");
    if (job.tries < MOST_TRIES || job.stop.aborted) throw error;
    deps.logger.error({ err: error, tenant: job.tenant, import: claimed.id }, "an import is given up");
    return await end("failed", "trouble");
  }
}

function personOf({ tenant }: Pick<Job, "tenant">, { country }: ClaimedImport, id: string | null): Actor {
  return { tenant, country, by: { kind: "user", id } };
}

/** Removes an import's file at the end of its retention, and an upload that a killed process left behind. */
export async function forgetImportJob({ database }: Deps, { tenant, subject }: Job): Promise<Outcome> {
  const left = (await keptFor(tenant, database, subject)) ?? 0;
  if (left > 0) return { outcome: "again", afterMs: left, counts: false };
  await forgetImport(tenant, database, subject);
  return { outcome: "done" };
}

/**
 * Counts the effects of the import, or returns why it cannot run. A new attempt starts at the first row, because an
 * unfinished check leaves nothing.
 */
async function check(deps: Deps, { tenant, stop }: Job, claimed: ClaimedImport): Promise<ImportFailure | null> {
  const { database, keyring } = deps;
  const kind = await kindOfTenant(tenant, database, claimed.kind, claimed.reading.made);
  const { bytes } = claimed;
  const chunks = () => readChunks(tenant, deps, claimed.id);
  const report = async (progress: Progress) =>
    await database.transaction(tenant, async (run) => addProgress(run, claimed, progress));
  const onChanged = async (changed: readonly ChangedRow[]) =>
    await database.transaction(tenant, async (run) => {
      await addProgress(run, claimed, nothingYet());
      await storeForeseen(tenant, { run, keyring }, claimed.id, changed);
    });
  const counting = { reading: claimed.reading, rest: throttleOf(deps, tenant) };
  const { total, words, columns, leftOut, letters, orders, hasTitles, errorCells, tooOften } = await countRows(
    kind,
    chunks(),
    counting,
    stop,
  );
  const reading = { ...claimed.reading, orders, hasTitles };
  await beginCheck(tenant, database, claimed, { total, words, reading });
  if (tooOften !== null) {
    await report({ ...nothingYet(), rejected: [tooOften] });
    return "one-identity";
  }
  if (total > ROWS_LIMIT) return "too-many-rows";
  const actor = actingAs("import", { id: tenant, country: claimed.country });
  const [listing, noting] = [listingRows(), notingRows()];
  const alike = await findingAlike(deps, tenant, kind, reading);
  await rehearse(deps, {
    kind,
    actor,
    chunks,
    reading,
    total,
    bytes,
    stop,
    onProgress: async (progress) => {
      noting.lookRejected(progress.rejected);
      await report(progress);
    },
    onChanged,
    onWritten: async (rows, outcome) => {
      listing.look(rows, outcome, await alike.look(rows, outcome));
      noting.look(outcome);
    },
  });
  const counts = alike.counts();
  const findings: CheckFindings = { ...listing.listed(), noted: noting.noted(), columns, leftOut, alike: counts };
  await storeAlike(tenant, deps, claimed.id, alike.rows());
  await storeJson(tenant, deps, claimed.id, "listed", findings);
  await storeJson(tenant, deps, claimed.id, "notes", { errorCells, letters: shortened(letters ?? "", 60) });
  await storeSkipped(deps, tenant, claimed, stop);
  return null;
}

/**
 * Whether a column is of a custom field that was archived or deleted after the check: its cells would be left out
 * without a word.
 */
async function fillsGone(deps: Deps, { tenant }: Job, { id, reading }: ClaimedImport, kind: Kind): Promise<boolean> {
  const names = new Set(kind.bulk.fields.map(({ name }) => name));
  const findings = (await readJson(tenant, deps, id, "listed")) as CheckFindings | null;
  const filled = [...(reading.columns ?? []), ...(findings?.columns ?? []).map(({ field }) => field)];
  return filled.some((name) => name.startsWith(customName("")) && !names.has(name));
}

async function write(deps: Deps, { tenant, stop }: Job, claimed: ClaimedImport, kind: Kind): Promise<void> {
  const { database, keyring } = deps;

  // Undo records and the line to continue at are committed together with the rows.
  const transact: Transact = async (target, rows, rejected, order) =>
    await database.transaction(tenant, async (run) => {
      const outcome = await kind.write(run, target, rows, order?.locked);
      await order?.toCommit();
      const kept = outcome.written.map((row) => undoRowOf(kind, row, { keyring, tenant }));
      await addUndos(run, claimed.id, kept);
      const nextLine = (rows.at(-1)?.line ?? 0) + 1;
      const all = [...rejected, ...outcome.rejected];
      await addProgress(run, claimed, { ...nothingYet(), ...countsOf(outcome.rows), rejected: all, nextLine });
      return outcome;
    });
  // Rejections outside of any transaction. Each is counted once, even if it is reported again.
  const onRejected = async (rejected: readonly Rejection[]): Promise<void> => {
    if (rejected.length === 0) return;
    const progress = { ...nothingYet(), rejected: [...rejected] };
    await database.transaction(tenant, async (run) => addProgress(run, claimed, progress));
  };
  const { failure, nextLine } = await importCsv(deps, {
    kind,
    actor: claimed.reading.namedById
      ? personOf({ tenant }, claimed, claimed.startedBy)
      : actingAs("import", { id: tenant, country: claimed.country }),
    chunks: readChunks(tenant, deps, claimed.id),
    reading: claimed.reading,
    fromLine: claimed.nextLine,
    stop,
    transact,
    returnsStored: true,
    onRejected,
  });
  if (failure !== null) throw failure;
  if (nextLine !== null) stop.throwIfAborted();
}
