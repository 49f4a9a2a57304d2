import { setImmediate } from "node:timers/promises";
import { readStored, writtenVersion, type Bulk } from "../../platform/fields/bulk.ts";
import { draftOf, storable, type Draft } from "../../platform/fields/draft.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Ciphertexts } from "../../platform/fields/stored-values.ts";
import type { FieldErrors, Value } from "../../platform/fields/validation.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { checkUsers } from "../../users/check-users.ts";
import type { BatchOutcome, ImportTarget, Kind, Rejection, StoredBefore } from "../kind.ts";
import { namesCompany, refusedCells, type ImportRow } from "../reading/rows.ts";
import {
  companyOf,
  findCompanies,
  noCompanies,
  parentOf,
  type Companies,
  type ParentDraft,
} from "./parent-companies.ts";
import { outcomeOf, roundsOf } from "./rounds.ts";

/** Rows of a statement: several make a batch, so that neither node nor PostgreSQL waits for the other for long. */
const SLICE_ROWS = 125;

/** Creates and updates rows of a noun. Rows of one identity are written one after the other, as their file has them. */
export function rowsWriter(bulk: Bulk): Kind["write"] {
  return async (run, target, rows) => {
    const outcomes: BatchOutcome[] = [];
    for (const round of roundsOf(rows)) outcomes.push(await writeRows(run, { ...target, bulk }, round));
    return outcomeOf(outcomes);
  };
}

/** `bulk` is the kind's, whose rows these are. */
type Target = ImportTarget & { bulk: Bulk };

async function writeRows(run: Run, target: Target, rows: ImportRow[]): Promise<BatchOutcome> {
  const { deps, bulk, actor, header } = target;
  const finding = findExisting(run, bulk, rows);
  // While PostgreSQL looks for the rows they are checked as new ones, which most are.
  const asNew = rows.map((row) => ({ row, draft: draftOf(bulk, row.input, "create") }));
  const existing = await finding;
  const drafts = asNew.map(({ row, draft }) => draftRow(target, row, draft, existing));
  // The two look-ups are sent together: neither needs the other's answer.
  const [checked, companies] = await Promise.all([
    checkUsers(
      actor.tenant,
      deps.database,
      bulk,
      drafts.map(({ draft }) => draft),
    ),
    header.namesCompany ? findCompanies(run, drafts) : noCompanies,
  ]);
  for (const [index, row] of drafts.entries()) row.draft = checked[index] ?? row.draft;
  const before = await findStored(run, target, [...existing.values()]);
  return outcomeOf(await writeSlices(run, target, drafts, { companies, before }));
}

/** The rows of the database that a batch's rows mean: their companies, and themselves as they were. */
type Found = { companies: Companies; before: ReadonlyMap<string, StoredBefore> };

/**
 * PostgreSQL writes the rows of a slice while those of the next one are encrypted. All slices are sent before the first
 * failure is told: what is sent behind the end of the transaction would be part of another one.
 */
async function writeSlices(
  run: Run,
  target: Target,
  drafts: readonly RowDraft[],
  found: Found,
): Promise<BatchOutcome[]> {
  const slices: Promise<BatchOutcome>[] = [];
  for (let at = 0; at < drafts.length; at += SLICE_ROWS) {
    // A slice leaves when the event loop comes round.
    if (at > 0) await setImmediate();
    const slice = writeSlice(run, target, drafts.slice(at, at + SLICE_ROWS), found);
    slice.catch(() => {});
    slices.push(slice);
  }
  return await Promise.all(slices);
}

/** Sends everything at once, so that of several slices that fail the first one knows why. */
async function writeSlice(
  run: Run,
  target: Target,
  drafts: readonly RowDraft[],
  { companies, before }: Found,
): Promise<BatchOutcome> {
  const { bulk } = target;
  const inserts: StoredRow[] = [];
  const updates: StoredRow[] = [];
  const rejected: Rejection[] = [];
  for (const row of drafts) {
    const { stored, errors } = storedRow(target, row, companies);
    if (errors !== null) rejected.push({ line: row.line, errors, cells: refusedCells(bulk, row.input, errors) });
    else if (stored.id === undefined) inserts.push(stored);
    else updates.push({ ...before.get(String(stored.id))?.columns, ...stored });
  }
  const [inserted, changed] = await Promise.all([
    inserts.length > 0 ? run(bulk.insert, [JSON.stringify(inserts)]) : [],
    updates.length > 0 ? run(bulk.update(writtenColumns(target)), [JSON.stringify(updates)]) : [],
  ]);
  const written = [...inserted, ...changed].map((row) => {
    const { id, version } = writtenVersion.read(row);
    return { id: String(id), version: String(version), stored: before.get(String(id)) ?? null };
  });
  const unchanged = updates.length - changed.length;
  return { created: inserts.length, updated: updates.length, unchanged, rejected, written };
}

/** The rows that may be updated as they are, by their ids, where that is asked for, or some of it stays. They are locked already. */
async function findStored(run: Run, target: Target, existing: readonly Existing[]): Promise<Map<string, StoredBefore>> {
  const isNeeded = target.keepsStored || !target.header.clearsEmpty;
  if (!isNeeded || existing.length === 0) return new Map();
  const names = writtenColumns(target);
  const rows = await run(target.bulk.stored(names), [existing.map(({ id }) => id)]);
  return new Map(rows.map((row) => readStored(names, row)).map(({ id, ...before }) => [id, before]));
}

/** A row that the database has already; `found` has its ciphertexts, and what decides whether it may be changed. */
type Existing = { id: string; found: Ciphertexts };

/** Locks the rows that have the batch's identities; by identity. */
async function findExisting(run: Run, { identity }: Bulk, rows: ImportRow[]): Promise<Map<string, Existing>> {
  const identities = rows.flatMap((row) => row.identity ?? []);
  if (identity === null || identities.length === 0) return new Map();
  const found = await run(identity.find, [identities]);
  return new Map(
    found.map((row) => {
      const { ordinal, id, ...columns } = identity.found.read(row);
      return [identities[Number(ordinal) - 1] ?? "", { id: String(id), found: columns }];
    }),
  );
}

/** A row of the file, checked as POST would, or as PUT where there is such a row already. */
type RowDraft = {
  line: number;
  input: Input;
  draft: Draft;
  existing: Existing | undefined;
  parent: ParentDraft;
  isMoved: boolean;
};

function draftRow(
  { kind, bulk }: Target,
  { line, identity, input }: ImportRow,
  asNew: Draft,
  found: Map<string, Existing>,
): RowDraft {
  const existing = identity === null ? undefined : found.get(identity);
  const draft = existing === undefined ? asNew : draftOf(bulk, input, "update");
  const isMoved = kind.ofCompany && (namesCompany({ input }) || existing === undefined);
  return { line, input, draft, existing, parent: parentOf(input), isMoved };
}

/** A row as it is written; an update has an id. */
type StoredRow = { [column: string]: Value };
type Decision = { stored: StoredRow; errors: null } | { stored: null; errors: FieldErrors };

function storedRow(target: Target, { draft, existing, parent, isMoved }: RowDraft, companies: Companies): Decision {
  const { deps, bulk, actor } = target;
  const company = isMoved ? companyOf(companies, parent) : { id: null, errors: null };
  if (company.errors !== null || draft.messages !== null) {
    return { stored: null, errors: { ...company.errors, ...draft.messages } };
  }
  const secrets = { keyring: deps.keyring, tenant: actor.tenant };
  const stored: StoredRow = storable(bulk, draft, secrets, actor, existing?.found);
  if (isMoved) stored.company_id = company.id;
  if (existing === undefined) return { stored, errors: null };
  const refusal = bulk.refusal?.(existing.found, stored) ?? null;
  if (refusal !== null) return { stored: null, errors: refusal };
  return { stored: { ...stored, id: existing.id }, errors: null };
}

/** The columns that the file's updates write. */
function writtenColumns({ bulk, header }: Target): string[] {
  const sent = new Set(header.columns.map(({ name }) => name));
  const columns = bulk.fields.filter(({ name }) => sent.has(name)).map(({ name }) => name);
  return header.namesCompany ? ["company_id", ...columns] : columns;
}
