import type { Deps } from "../deps.ts";
import type { Run } from "../platform/postgres/database.ts";
import { encryptValues, withDefaults } from "../platform/fields/stored-values.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { isRefused, isUniqueViolation } from "../platform/postgres/failures.ts";
import {
  inFieldOrder,
  selectedIsInvalid,
  validate,
  type FieldErrors,
  type Value,
} from "../platform/fields/validation.ts";
import type { Tenant } from "../tenants/tenant-queries.ts";
import { activeUsersAmong } from "../users/user-queries.ts";
import type { Header } from "./header.ts";
import type { Kind } from "./kinds.ts";
import { companyOf, findCompanies, type Companies } from "./parent-companies.ts";
import type { ImportRow } from "./rows.ts";

/** Where rows go. */
export type ImportTarget = { deps: Deps; kind: Kind; tenant: Tenant; header: Header };

/** A row that was not taken: the physical line where it starts, and what POST or PUT would answer (422). */
export type Rejection = { line: number; errors: FieldErrors };

/** What has become of the rows so far. */
export type Progress = {
  created: number;
  updated: number;
  rejected: Rejection[];
  /** Where the first row starts of which nothing is known to be committed; null where there is none. */
  nextLine: number | null;
};

/** How often a batch that lost a key to another writer asks again who has it. */
const MAX_ATTEMPTS = 3;

/**
 * Creates and updates in one transaction; no two rows have the same key. A row that only the database finds wrong costs
 * only itself: the batch is halved until that row stands alone.
 */
export async function writeBatch(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  progress.nextLine = first.line;
  const index = target.kind.bulk.key?.index ?? "";
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

/** What the database says about the rows of a batch. */
type Known = {
  /** By key: the id and the stored encrypted fields. */
  existing: Map<string, Row>;
  companies: Companies;
  activeUsers: Set<number>;
};

type Written = { created: number; updated: number; rejected: Rejection[] };

async function attemptBatch(target: ImportTarget, rows: ImportRow[]): Promise<Written> {
  const { deps, kind, tenant, header } = target;
  const { bulk } = kind;
  const activeUsers = await findUsers(target, rows);
  return await deps.database.transaction(tenant.id, async (run) => {
    // Sent together: none needs another's answer.
    const [existing, companies] = await Promise.all([
      findExisting(run, kind, rows),
      header.namesCompany ? findCompanies(run, rows) : null,
    ]);
    const known: Known = { existing, companies: companies ?? { byTaxId: new Map(), live: new Set() }, activeUsers };
    const inserts: Stored[] = [];
    const updates: Stored[] = [];
    const rejected: Rejection[] = [];
    for (const row of rows) {
      const { stored, errors } = decide(target, known, row);
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

/** Those of the users whom the rows name who are active. */
async function findUsers({ deps, kind, tenant }: ImportTarget, rows: ImportRow[]): Promise<Set<number>> {
  const fields = kind.bulk.fields.filter(({ kind }) => kind === "user");
  const ids = new Set<number>();
  for (const { input } of rows) {
    for (const id of Object.values(validate(fields, input, "update").values)) {
      if (typeof id === "number") ids.add(id);
    }
  }
  return ids.size === 0 ? ids : await activeUsersAmong(tenant.id, deps.database, [...ids]);
}

/** Locks the rows that have the batch's keys. */
async function findExisting(run: Run, { bulk: { key } }: Kind, rows: ImportRow[]): Promise<Map<string, Row>> {
  const keys = rows.flatMap((row) => row.key ?? []);
  if (key === null || keys.length === 0) return new Map();
  const found = await run(key.find, [keys]);
  return new Map(found.map(([ordinal, ...row]) => [keys[Number(ordinal) - 1] ?? "", row]));
}

/** A row as it is written; an update has an id. */
type Stored = { [column: string]: Value | undefined };
type Decision = { stored: Stored; errors: null } | { stored: null; errors: FieldErrors };

/** Validates a row as POST would, or as PUT where there is such a row already. */
function decide(target: ImportTarget, known: Known, { key, input }: ImportRow): Decision {
  const { deps, kind, tenant, header } = target;
  const { table, fields } = kind.bulk;
  const existing = key === null ? undefined : known.existing.get(key);
  const { values, errors } = validate(fields, input, existing === undefined ? "create" : "update");
  const messages: FieldErrors = { ...errors };
  for (const { name, kind } of fields) {
    const id = values[name];
    if (kind === "user" && typeof id === "number" && !known.activeUsers.has(id)) {
      messages[name] = [selectedIsInvalid(name)];
    }
  }
  const [first, second] = kind.oneOf;
  if (first !== undefined && second !== undefined && errors === null && !values[first] && !values[second]) {
    messages[first] = [`The ${first} field is required when ${second} is not present.`];
  }
  const isMoved = kind.ofCompany && (header.namesCompany || existing === undefined);
  const company = isMoved ? companyOf(known.companies, input) : { id: null, errors: null };
  if (company.errors !== null || Object.keys(messages).length > 0) {
    return { stored: null, errors: { ...company.errors, ...inFieldOrder(fields, messages) } };
  }

  const complete = existing === undefined ? withDefaults(fields, values, tenant.country) : values;
  const secrets = { keyring: deps.keyring, tenant: tenant.id };
  const stored: Stored = encryptValues(fields, table, complete, secrets, existing?.slice(1));
  if (isMoved) stored.company_id = company.id;
  if (existing !== undefined) stored.id = existing[0] ?? null;
  return { stored, errors: null };
}

/** The columns that the file's updates write. */
function writtenColumns({ kind, header }: ImportTarget): string[] {
  const sent = new Set(header.columns.map(({ name }) => name));
  const columns = kind.bulk.fields.filter(({ name }) => sent.has(name)).map(({ name }) => name);
  return header.namesCompany ? ["company_id", ...columns] : columns;
}
