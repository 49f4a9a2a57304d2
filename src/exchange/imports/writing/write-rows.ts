import { setImmediate } from "node:timers/promises";
import { isOddTaxId } from "../../../customers/companies/odd-tax-id.ts";
import type { Bulk } from "../../../kit/bulk-queries.ts";
import { checkUsers } from "../../../people/users/check-users.ts";
import { draftOf, storable, type Draft } from "../../../platform/fields/draft.ts";
import { EXTERNAL, externalName, hasTooMany, tooMany } from "../../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import { textOrNull, type Value } from "../../../platform/fields/validation.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { shortened } from "../../../platform/text.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { BatchOutcome, Cause, Kind, Rejection, RowOutcome, StoredBefore, Target } from "../kind.ts";
import { namesCompany, refusedCells, SAID, type ImportRow, type RecordKeys } from "../reading/rows.ts";
import { GONE, type ImportReason } from "../reasons.ts";
import { findExisting, withoutFormer, type Existing, type FindMeant } from "./find-existing.ts";
import { identified } from "./identify-rows.ts";
import { withoutComputed, withoutUnfit } from "./leave-out.ts";
import { companyNamed, findParents, noCompanies, parentOf, type Companies } from "./parent-companies.ts";
import { findReferred, wrongReference, type Referred } from "./referred-rows.ts";
import { withRepeatedOptions } from "./repeated-options.ts";
import { namesOfRow, outcomeOf } from "./rounds.ts";
import { recordsOf } from "./same-records.ts";
import { findStored, writtenColumns } from "./stored-rows.ts";

/** Rows per statement: several statements per batch let Node and PostgreSQL work at the same time. */
const SLICE_ROWS = 125;

/** Creates and updates rows of a noun. Rows of one identity are written in file order. */
export function rowsWriter(bulk: Bulk): Kind["write"] {
  return async (run, target, rows, locked) =>
    await writeRows(run, { ...target, bulk: { ...bulk, fields: target.kind.bulk.fields } }, rows, locked);
}

async function writeRows(run: Run, target: Target, all: ImportRow[], locked?: () => void): Promise<BatchOutcome> {
  const { deps, bulk, actor, header } = target;
  const { rows, rejected, companies: named } = await identified(run, target, all);
  // While PostgreSQL searches for existing rows, all rows are validated as new ones, which most are.
  const [meaning, asNew] = await Promise.all([findExisting(run, bulk, rows, header.isFile), draftsAsNew(target, rows)]);
  const { now, later } = eachOnce(rows, meaning);
  const draft = (row: ImportRow, of: ImportRow) => draftRow(target, row, asNew, () => meaning(of));
  const drafts = await withRepeatedOptions(run, target, now, draft);
  const [checked, companies, referred, ids] = await Promise.all([
    checkUsers(
      actor.tenant,
      deps.database,
      bulk,
      drafts.map(({ draft }) => draft),
    ),
    header.namesCompany ? (named ?? findParents(run, drafts, header.isFile)) : noCompanies,
    findReferred(run, bulk, drafts),
    drawIds(run, bulk, drafts),
  ]);
  for (const [index, row] of drafts.entries()) {
    row.draft = checked[index] ?? row.draft;
    if (isFresh(row)) row.newId = ids.shift() ?? null;
  }
  const before = await findStored(run, target, drafts);
  const records = recordsOf(header);
  for (const row of drafts) if (row.keys !== undefined && isWritable(row, companies)) records.keep(row.keys, row.line);
  // The next batch must know the records of this one.
  const areKnown = later.every(({ keys }) => keys === undefined);
  if (areKnown && !header.columns.some(({ name }) => name === bulk.locksMore)) locked?.();
  const outcomes = await writeSlices(run, target, inOneOrder(drafts), { companies, before, referred });
  // In halves: each half may contain rows that must wait for others. Separating one row at a time would take quadratic
  // time.
  const half = Math.ceil(later.length / 2);
  for (const some of [later.slice(0, half), later.slice(half)]) {
    if (some.length > 0) outcomes.push(await writeRows(run, target, some));
  }
  return outcomeOf([...outcomes, { rows: [], rejected, written: [] }]);
}

async function draftsAsNew({ bulk, custom }: Target, rows: readonly ImportRow[]): Promise<Map<ImportRow, Draft>> {
  const drafts = new Map<ImportRow, Draft>();
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % SLICE_ROWS === 0) await setImmediate();
    drafts.set(row, draftOf(bulk, row.input, "create", custom));
  }
  return drafts;
}

/** Separates the rows that must wait: those that share a name, or a stored row, with an earlier row of the batch. */
function eachOnce(rows: ImportRow[], meaning: FindMeant): { now: ImportRow[]; later: ImportRow[] } {
  const seen = new Set<string>();
  const { now = [], later = [] } = Object.groupBy(rows, (row) => {
    const { existing, holder, owners } = meaning(row);
    const names = [...namesOfRow(row), existing?.id, holder?.id, ...owners.map(({ id }) => id)].filter(
      (name) => name !== undefined,
    );
    const { asked = [], kept = [] } = row.keys ?? {};
    const isLater = [...names, ...asked].some((name) => seen.has(name));
    for (const name of [...names, ...kept]) seen.add(name);
    return isLater ? "later" : "now";
  });
  return { now, later };
}

/** The stored rows behind a batch: those that it names, and its own rows as they were. */
type Meant = { companies: Companies; before: ReadonlyMap<string, StoredBefore>; referred: Referred };

/** Sorts by identity, so that concurrent transactions that create the same rows cannot deadlock. */
function inOneOrder(drafts: readonly RowDraft[]): RowDraft[] {
  return drafts.toSorted(({ identity: a }, { identity: b }) => (a === b ? 0 : a < b ? -1 : 1));
}

/**
 * PostgreSQL writes one slice while the next one is encrypted. All slices are sent before the first failure is thrown:
 * a statement sent after the end of the transaction would run in another one.
 */
async function writeSlices(
  run: Run,
  target: Target,
  drafts: readonly RowDraft[],
  found: Meant,
): Promise<BatchOutcome[]> {
  const slices: Promise<BatchOutcome>[] = [];
  for (let at = 0; at < drafts.length; at += SLICE_ROWS) {
    // A statement is sent when the event loop continues.
    if (at > 0) await setImmediate();
    const slice = writeSlice(run, target, drafts.slice(at, at + SLICE_ROWS), found);
    slice.catch(() => {});
    slices.push(slice);
  }
  return await Promise.all(slices);
}

/** Sends everything at once, so that the first of several failing slices has the real error. */
async function writeSlice(
  run: Run,
  target: Target,
  drafts: readonly RowDraft[],
  { before, ...found }: Meant,
): Promise<BatchOutcome> {
  const { bulk } = target;
  const inserts: WithLine[] = [];
  const updates: WithLine[] = [];
  const rejected: Rejection[] = [];
  const notes = new Map<number, readonly RowNote[]>();
  for (const row of drafts) {
    const { stored, errors, cause, row: whole, isSent } = storedRow(target, row, found);
    const { line, existing, input, newId } = row;
    if (errors !== null) {
      const reason: ImportReason | undefined = isSent ? { code: "sent" } : whole;
      rejected.push({
        line,
        errors,
        row: reason,
        cells: refusedCells(bulk.fields, input, errors),
        cause,
        id: existing?.id,
      });
      continue;
    }
    if (row.notes.length > 0) notes.set(line, row.notes);
    if (stored.id === undefined) inserts.push({ line, stored: { id: newId, ...stored } });
    else updates.push({ line, stored: { ...before.get(String(stored.id))?.columns, ...stored } });
  }
  const columns = writtenColumns(target);
  // Rows without any other field only identify stored rows, and change nothing.
  const isChange = updates.length > 0 && columns.length > 0;
  const [inserted, changed] = await Promise.all([
    inserts.length > 0 ? bulk.insert(run, entriesOf(inserts)) : [],
    isChange ? bulk.update(columns)(run, entriesOf(updates)) : [],
  ]);
  const written = [...inserted, ...changed].map(({ id, version }) => ({ id, version, stored: before.get(id) ?? null }));
  const changedIds = new Set(changed.map(({ id }) => id));
  const created = inserts.map(({ line }, index): RowOutcome => {
    return { line, id: written[index]?.id ?? null, outcome: "created" };
  });
  const updated = updates.map(({ line, stored }): RowOutcome => {
    const id = String(stored.id);
    return { line, id, outcome: changedIds.has(id) ? "updated" : "unchanged" };
  });
  return { rows: [...created, ...updated], rejected, written, notes };
}

/** A row to be stored; an update has an id. */
type StoredRow = { [column: string]: Value };
type WithLine = { line: number; stored: StoredRow };

/** Leaves nulls out to save space: a missing property is null, and most columns of most rows are. */
function entriesOf(rows: readonly WithLine[]): string {
  const entries = rows.map(({ stored }) => {
    const entry: StoredRow = {};
    for (const name of Object.keys(stored)) if (stored[name] !== null) entry[name] = stored[name] ?? null;
    return entry;
  });
  return JSON.stringify(entries);
}

/** Draws ids for the rows that may be new, in file order. Concurrent writers draw later ids. */
async function drawIds(run: Run, bulk: Bulk, drafts: readonly RowDraft[]): Promise<string[]> {
  const fresh = drafts.filter(isFresh).length;
  return fresh > 0 ? await bulk.drawIds(run, fresh) : [];
}

function isFresh({ existing, cause, draft }: RowDraft): boolean {
  return existing === undefined && cause === null && draft.messages === null;
}

/** A row of the file, validated like POST, or like PUT if the stored row exists. */
type RowDraft = {
  line: number;
  input: Input;
  draft: Draft;
  /** The identity in its compared form, or an external id; empty if the row has neither. */
  identity: string;
  existing: Existing | undefined;
  /** The id that it gets if it is a new row. */
  newId: string | null;
  parent: Draft;
  isMoved: boolean;
  /** Why the row cannot be written with any fields. */
  cause: Cause | null;
  /** The identities of several stored rows that it may mean. */
  several: readonly string[];
  notes: readonly RowNote[];
  keys: RecordKeys | undefined;
};

/** Whether nothing but the database can refuse a row. */
function isWritable({ draft, cause, several, isMoved, parent }: RowDraft, companies: Companies): boolean {
  if (draft.messages !== null || cause !== null || several.length > 0) return false;
  return !isMoved || companyNamed(companies, parent).errors === null;
}

function draftRow(target: Target, row: ImportRow, asNew: ReadonlyMap<ImportRow, Draft>, meaning: FindMeant): RowDraft {
  const [{ kind, bulk, header, custom, actor }, { line, id, input, external = [] }] = [target, row];
  const identity = row.identity?.compared ?? (external[0] === undefined ? "" : externalName(external[0]));
  const { existing, holder, owners, several } = meaning(row);
  // The stored spelling of what a row was found by stays.
  const changes: Record<string, unknown> =
    existing === undefined ? input : withoutComputed(target, withoutFormer(input, external, existing), existing);
  if (existing?.isSpelledOtherwise === true) delete changes[bulk.identity?.field ?? ""];
  else if (existing !== undefined && row.isAgain === true) {
    delete changes.name;
    // An empty cell does not take away what the stored row is known by.
    for (const field of [bulk.identity?.field ?? "", "email"]) if (changes[field] === null) delete changes[field];
  }
  const drafted =
    existing === undefined
      ? (asNew.get(row) ?? draftOf(bulk, input, "create", custom))
      : withExternalCounted(draftOf(bulk, changes, "update", custom), existing);
  const { draft, notes } = withoutUnfit(bulk, header, { notes: row.notes, input: changes }, drafted);
  const taxId = bulk.table === "companies" && header.language !== null ? draft.values.tax_id : null;
  const isOdd = typeof taxId === "string" && isOddTaxId(taxId, textOrNull(draft.values.country) ?? actor.country);
  const odd: RowNote[] = isOdd ? [{ field: "tax_id", text: taxId, why: "odd" }] : [];
  const isMoved = kind.ofCompany && (existing === undefined || (header.moves && namesCompany(row)));
  let cause: Cause | null = null;
  if (id !== null && existing === undefined) cause = { what: "missing", named: id };
  else if (existing !== undefined && holder !== undefined && holder.id !== existing.id) cause = { what: "taken" };
  else if (owners.some((owner) => owner.id !== existing?.id)) cause = { what: "external-taken" };
  return {
    line,
    input,
    draft,
    identity,
    existing,
    newId: null,
    parent: parentOf(input, header.language !== null),
    isMoved,
    cause,
    several,
    notes: [...notes, ...odd],
    keys: row.keys,
  };
}

/** A stored row may have others. */
function withExternalCounted(draft: Draft, { found }: Existing): Draft {
  const sent = draft.values[EXTERNAL];
  if (typeof sent !== "string" || !hasTooMany(found[EXTERNAL] ?? null, sent)) return draft;
  return { ...draft, messages: { ...draft.messages, [EXTERNAL]: tooMany } };
}

/** `isSent`: the row may not be changed, because the warehouse may have it. `row`: what is wrong beside its fields. */
type Decision =
  | { stored: StoredRow; errors: null; cause?: undefined; row?: undefined; isSent?: undefined }
  | { stored: null; errors: FieldErrors; cause?: Cause; row?: ImportReason | undefined; isSent?: true };

function storedRow(target: Target, row: RowDraft, { companies, referred }: Omit<Meant, "before">): Decision {
  const { deps, bulk, header, actor } = target;
  const { draft, existing, parent, isMoved, cause } = row;
  // A missing row is reported before invalid fields, and those before an identity in use.
  if (cause?.what === "missing") return { stored: null, errors: {}, cause, row: header.isFile ? GONE : undefined };
  if (row.several.length > 0) {
    const field = bulk.identity?.field ?? "";
    const reason = { value: shortened(String(row.input[field]), SAID), others: row.several };
    return { stored: null, errors: { [field]: [] }, row: { code: "fiscalIdsAlike", ...reason } };
  }
  const company = isMoved ? companyNamed(companies, parent) : { id: null, errors: null };
  if (company.errors !== null || draft.messages !== null) {
    const errors = { ...company.errors, ...draft.messages };
    if (company.errors === null) return { stored: null, errors };
    if (company.missing === null) return { stored: null, errors, row: company.row };
    return { stored: null, errors, cause: { what: "company-missing", named: company.missing } };
  }
  const { sparing = deps.keyring } = target;
  const secrets = { keyring: existing === undefined ? sparing : deps.keyring, tenant: actor.tenant };
  const stored: StoredRow = storable(bulk, draft, secrets, actor, existing?.found);
  if (isMoved) stored.company_id = company.id;
  const errors = wrongReference(bulk, stored, existing, referred);
  if (errors !== null) return { stored: null, errors };
  if (existing === undefined) return { stored, errors: null };
  const refused = bulk.refuses?.(existing.found, stored) ?? null;
  if (refused === "sent") return { stored: null, errors: {}, isSent: true };
  if (refused !== null) return { stored: null, errors: refused };
  if (cause !== null) return { stored: null, errors: {}, cause };
  return { stored: { ...stored, id: existing.id }, errors: null };
}
