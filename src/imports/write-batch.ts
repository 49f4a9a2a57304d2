import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { draftOf, storable, type Draft } from "../platform/fields/draft.ts";
import type { Ciphertexts } from "../platform/fields/stored-values.ts";
import type { FieldErrors, Value } from "../platform/fields/validation.ts";
import type { Run } from "../platform/postgres/database.ts";
import { isRefused, isUniqueViolation } from "../platform/postgres/failures.ts";
import { checkUsers } from "../users/check-users.ts";
import type { Header } from "./header.ts";
import type { Kind } from "./kinds.ts";
import {
  companyOf,
  findCompanies,
  noCompanies,
  parentOf,
  type Companies,
  type ParentDraft,
} from "./parent-companies.ts";
import type { ImportRow } from "./rows.ts";

/** The destination of rows, and the header that tells what they say. */
export type ImportTarget = { deps: Pick<Deps, "database" | "keyring">; kind: Kind; actor: Actor; header: Header };

/** A row that was refused: the physical line where it starts, and the messages that POST or PUT would answer (422). */
export type Rejection = { line: number; errors: FieldErrors };

/** The outcome of the rows so far. */
export type Progress = {
  created: number;
  updated: number;
  rejected: Rejection[];
  /** The line of the first row that may not be committed; null where there is none. */
  nextLine: number | null;
};

/** Attempts of a batch that lost an identity to another writer: each asks again who has it. */
const MAX_ATTEMPTS = 3;

/**
 * Creates and updates in one transaction; no two rows have the same identity. A row that only the database finds wrong
 * costs only itself: the batch is halved until that row stands alone.
 */
export async function writeBatch(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  progress.nextLine = first.line;
  const index = target.kind.bulk.identity?.index ?? "";
  for (let attempt = 1; ; attempt++) {
    try {
      const { created, updated, rejected } = await attemptBatch(target, rows);
      progress.created += created;
      progress.updated += updated;
      progress.rejected.push(...rejected);
      progress.nextLine = null;
      return;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (isUniqueViolation(error, index) && attempt < MAX_ATTEMPTS) continue;
      break;
    }
  }
  if (rows.length === 1) {
    progress.rejected.push({ line: first.line, errors: { row: ["The database refused the row."] } });
    progress.nextLine = null;
    return;
  }
  const half = rows.length >> 1;
  await writeBatch(target, rows.slice(0, half), progress);
  await writeBatch(target, rows.slice(half), progress);
}

type BatchOutcome = { created: number; updated: number; rejected: Rejection[] };

async function attemptBatch(target: ImportTarget, rows: ImportRow[]): Promise<BatchOutcome> {
  const { deps, kind, actor, header } = target;
  const { bulk } = kind;
  return await deps.database.transaction(actor.tenant, async (run) => {
    const existing = await findExisting(run, kind, rows);
    const drafts = rows.map((row) => draftRow(target, row, existing));
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
    const inserts: StoredRow[] = [];
    const updates: StoredRow[] = [];
    const rejected: Rejection[] = [];
    for (const [index, row] of drafts.entries()) {
      const { stored, errors } = storedRow(target, { ...row, draft: checked[index] ?? row.draft }, companies);
      if (errors !== null) rejected.push({ line: row.line, errors });
      else (stored.id === undefined ? inserts : updates).push(stored);
    }
    await Promise.all([
      inserts.length > 0 && run(bulk.insert, [JSON.stringify(inserts)]),
      updates.length > 0 && run(bulk.update(writtenColumns(target)), [JSON.stringify(updates)]),
    ]);
    return { created: inserts.length, updated: updates.length, rejected };
  });
}

/** A row that the database has already. */
type Existing = { id: string; ciphertexts: Ciphertexts };

/** Locks the rows that have the batch's identities; by identity. */
async function findExisting(run: Run, { bulk: { identity } }: Kind, rows: ImportRow[]): Promise<Map<string, Existing>> {
  const identities = rows.flatMap((row) => row.identity ?? []);
  if (identity === null || identities.length === 0) return new Map();
  const found = await run(identity.find, [identities]);
  return new Map(
    found.map((row) => {
      const { ordinal, id, ...ciphertexts } = identity.found.read(row);
      return [identities[Number(ordinal) - 1] ?? "", { id: String(id), ciphertexts }];
    }),
  );
}

/** A row of the file, checked as POST would, or as PUT where there is such a row already. */
type RowDraft = { line: number; draft: Draft; existing: Existing | undefined; parent: ParentDraft };

function draftRow(
  { kind }: ImportTarget,
  { line, identity, input }: ImportRow,
  found: Map<string, Existing>,
): RowDraft {
  const existing = identity === null ? undefined : found.get(identity);
  const draft = draftOf(kind.bulk, input, existing === undefined ? "create" : "update");
  return { line, draft, existing, parent: parentOf(input) };
}

/** A row as it is written; an update has an id. */
type StoredRow = { [column: string]: Value | undefined };
type Decision = { stored: StoredRow; errors: null } | { stored: null; errors: FieldErrors };

function storedRow(target: ImportTarget, { draft, existing, parent }: RowDraft, companies: Companies): Decision {
  const { deps, kind, actor, header } = target;
  const isMoved = kind.ofCompany && (header.namesCompany || existing === undefined);
  const company = isMoved ? companyOf(companies, parent) : { id: null, errors: null };
  if (company.errors !== null || draft.messages !== null) {
    return { stored: null, errors: { ...company.errors, ...draft.messages } };
  }
  const secrets = { keyring: deps.keyring, tenant: actor.tenant };
  const stored: StoredRow = storable(kind.bulk, draft, secrets, actor, existing?.ciphertexts);
  if (isMoved) stored.company_id = company.id;
  if (existing !== undefined) stored.id = existing.id;
  return { stored, errors: null };
}

/** The columns that the file's updates write. */
function writtenColumns({ kind, header }: ImportTarget): string[] {
  const sent = new Set(header.columns.map(({ name }) => name));
  const columns = kind.bulk.fields.filter(({ name }) => sent.has(name)).map(({ name }) => name);
  return header.namesCompany ? ["company_id", ...columns] : columns;
}
