import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { column, selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { nextCallOf, type ReplacedCall } from "./planned-call-queries.ts";

/** The author of a write of calls, and its moment, which the company's change has too. */
type Writing = { by: string; moment: string };

/** The result of a write, and the day of the company's next call if it is another one. */
type InCompany<T> = { result: T; date: string | null };

/** A call that was made, or tried; without an id the company's next one. */
export type MadeCall = { id: string | null };

/** The moment of a change of calls, and the call that another one replaced; null if there is none. */
type Arranged = { told: string | null; replaced: ReplacedCall | null };

/**
 * Arranges the calls that follow from an activity, as a part of its transaction. A call that was made moves to the day,
 * or is over without one. Otherwise a day replaces the company's next call, unless that is on this day.
 */
export async function arrangeCalls(
  run: Run,
  companyId: string,
  { date, contactId, made }: { date: string | null; contactId: string | null; made: MadeCall | null },
  by: string,
): Promise<Arranged> {
  const nothing = { told: null, replaced: null };
  const locked = company.first(await run(lockStatement, [companyId]));
  if (locked === null || (made === null && date === null)) return nothing;
  const writing = { by, moment: locked.moment };
  const next = nextCallOf.read(await run(nextCallOf.statement, [companyId]));
  if (made === null && next?.date === date) return nothing;
  const moved = { id: made?.id ?? next?.id ?? null, date: made === null ? null : date };
  const isMoved = await moveCall(run, companyId, moved, writing);
  if (date !== null && (made === null || !isMoved))
    await insertCall(run, companyId, { due_on: date, contact_id: contactId }, writing);
  await storeNext(run, companyId, writing);
  return { told: locked.moment, replaced: made === null ? next : null };
}

/** The writes of a company's calls, in one transaction. */
type Calls = {
  /** Messages for a contact or an invoice of another company; null without one. */
  wrongReferences: (values: Values) => Promise<FieldErrors | null>;
  insert: (values: Values) => Promise<void>;
  /** Whether there was a call to change. */
  change: (id: string, values: Values) => Promise<boolean>;
  /** A null day ends the call. A null id is the company's next one. */
  move: (id: string | null, date: string | null) => Promise<boolean>;
  keep: (id: string) => Promise<void>;
};

/** Writes calls of a company, and stores its next one, in one transaction; null if the company is missing. */
export async function inCompany<T>(
  tenant: TenantId,
  database: Database,
  { companyId, by }: { companyId: string; by: string },
  write: (calls: Calls) => Promise<T>,
): Promise<InCompany<T> | null> {
  return await database.transaction(tenant, async (run) => {
    const locked = company.first(await run(lockStatement, [companyId]));
    if (locked === null) return null;
    const writing = { by, moment: locked.moment };
    const result = await write({
      wrongReferences: async (values) => await wrongReferences(run, companyId, values),
      insert: async (values) => {
        await insertCall(run, companyId, values, writing);
      },
      change: async (id, values) => (await run(changeStatement, [id, ...texts(values), writing.moment, by])).length > 0,
      move: async (id, date) => await moveCall(run, companyId, { id, date }, writing),
      keep: async (id) => {
        await run(keepStatement, [id, companyId, writing.moment, by]);
      },
    });
    return { result, date: await storeNext(run, companyId, writing) };
  });
}

const company = selectList({ moment: column.text("moment_after(c.updated_at)") });

const lockStatement: Statement = {
  name: "lock_company_of_calls",
  text: `select ${company.sql} from companies c where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null
  for no key update`,
};

const nextStatement: Statement = {
  name: "store_next_call",
  text: `update companies c set callback_date = $3::date, updated_at = $4::timestamptz, changed_by = $5
  where c.tenant_id = $1 and c.id = $2 and c.callback_date is distinct from $3::date returning c.id`,
};

/** Stores the day of the company's next call; returns it if it is another one. */
async function storeNext(run: Run, companyId: string, { by, moment }: Writing): Promise<string | null> {
  const date = nextCallOf.read(await run(nextCallOf.statement, [companyId]))?.date ?? null;
  const stored = await run(nextStatement, [companyId, date, moment, by]);
  return stored.length > 0 ? date : null;
}

const COLUMNS = ["due_on", "contact_id", "about", "assigned_to", "invoice_id"] as const;

function texts(values: Values | Partial<Record<string, string | null>>): (string | null)[] {
  return COLUMNS.map((name) => {
    const value = values[name] ?? null;
    return value === null ? null : String(value);
  });
}

const insertStatement: Statement = {
  name: "insert_planned_call",
  text: `insert into planned_calls (tenant_id, company_id, ${COLUMNS.join(", ")}, created_at, updated_at, planned_by, changed_by)
  values ($1, $2, $3::date, $4, $5, $6, $7, $8::timestamptz, $8::timestamptz, $9, $9) returning id`,
};

async function insertCall(
  run: Run,
  companyId: string,
  values: Parameters<typeof texts>[0],
  { by, moment }: Writing,
): Promise<void> {
  await run(insertStatement, [companyId, ...texts(values), moment, by]);
}

const changeStatement: Statement = {
  name: "change_planned_call",
  text: `update planned_calls h set due_on = $3::date, contact_id = $4, about = $5, assigned_to = $6, invoice_id = $7,
    updated_at = $8::timestamptz, changed_by = $9
  where h.tenant_id = $1 and h.id = $2 and h.deleted_at is null returning h.id`,
};

const moveStatement: Statement = {
  name: "move_planned_call",
  text: `update planned_calls h set due_on = coalesce($4::date, h.due_on),
    deleted_at = case when $4::date is null then $5::timestamptz end, updated_at = $5::timestamptz, changed_by = $6
  where h.tenant_id = $1 and h.id = $2 and h.company_id = $3 and h.deleted_at is null returning h.id`,
};

/** Moves a call to a day; null ends it. Without an id it is the company's next one. Whether there was one. */
async function moveCall(
  run: Run,
  companyId: string,
  { id, date }: { id: string | null; date: string | null },
  { by, moment }: Writing,
): Promise<boolean> {
  const call = id ?? nextCallOf.read(await run(nextCallOf.statement, [companyId]))?.id ?? null;
  return call !== null && (await run(moveStatement, [call, companyId, date, moment, by])).length > 0;
}

const keepStatement: Statement = {
  name: "keep_planned_call",
  text: `update planned_calls h set deleted_at = null, updated_at = $4::timestamptz, changed_by = $5
  where h.tenant_id = $1 and h.id = $2 and h.company_id = $3 and h.deleted_at is not null returning h.id`,
};

const references = selectList({
  contact_id: column.flag(`$3::bigint is null or exists (
    select from contacts k where k.tenant_id = $1 and k.company_id = $2 and k.id = $3 and k.deleted_at is null)`),
  invoice_id: column.flag(`$4::bigint is null or exists (
    select from invoices i where i.tenant_id = $1 and i.company_id = $2 and i.id = $4)`),
});

const referencesStatement: Statement = { name: "check_references_of_call", text: `select ${references.sql}` };

const contactStatement: Statement = {
  name: "lock_contact_of_call",
  text: "select k.id from contacts k where k.tenant_id = $1 and k.id = $2 for key share",
};

/** A contact or an invoice of another company. The contact is locked, because an erasure would miss the call. */
async function wrongReferences(run: Run, companyId: string, values: Values): Promise<FieldErrors | null> {
  const [, contact = null, , , invoice = null] = texts(values);
  if (contact !== null) await run(contactStatement, [contact]);
  const [row = []] = await run(referencesStatement, [companyId, contact, invoice]);
  const wrong = Object.entries(references.read(row)).filter(([, isRight]) => !isRight);
  return wrong.length === 0 ? null : Object.fromEntries(wrong.map(([name]) => [name, [{ code: "notSelectable" }]]));
}
