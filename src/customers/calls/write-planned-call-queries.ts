import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
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
  const locked = await lockCompany(run, companyId);
  if (locked === null || (made === null && date === null)) return nothing;
  const writing = { by, moment: locked.moment };
  const next = await nextCallOf(run, companyId);
  if (made === null && next?.date === date) return nothing;
  const moved = { companyId, id: made?.id ?? next?.id ?? null, date: made === null ? null : date };
  const isMoved = await moveCall(run, moved, writing);
  if (date !== null && (made === null || !isMoved))
    await insertCall(run, { ...texts({ due_on: date, contact_id: contactId }), ...writing, companyId });
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
    const locked = await lockCompany(run, companyId);
    if (locked === null) return null;
    const writing = { by, moment: locked.moment };
    const result = await write({
      wrongReferences: async (values) => await wrongReferences(run, companyId, values),
      insert: async (values) => await insertCall(run, { ...texts(values), ...writing, companyId }),
      change: async (id, values) => await changeCall(run, { ...texts(values), ...writing, id }),
      move: async (id, date) => await moveCall(run, { companyId, id, date }, writing),
      keep: async (id) => await keepCall(run, { ...writing, id, companyId }),
    });
    return { result, date: await storeNext(run, companyId, writing) };
  });
}

const company = selectList({ moment: column.text("moment_after(c.updated_at)") });

const lockCompany = stepQuery<[companyId: string]>(
  "lock_company_of_calls",
  `select ${company.sql} from companies c where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null
  for no key update`,
).first(company.read);

const storeDate = stepQuery<Writing & { companyId: string; date: string | null }>(
  "store_next_call",
  `update companies c set callback_date = :date::date, updated_at = :moment::timestamptz, changed_by = :by
  where c.tenant_id = $1 and c.id = :companyId and c.callback_date is distinct from :date::date returning c.id`,
).exists();

/** Stores the day of the company's next call; returns it if it is another one. */
async function storeNext(run: Run, companyId: string, writing: Writing): Promise<string | null> {
  const date = (await nextCallOf(run, companyId))?.date ?? null;
  return (await storeDate(run, { ...writing, companyId, date })) ? date : null;
}

const COLUMNS = ["due_on", "contact_id", "about", "assigned_to", "invoice_id"] as const;

type CallValues = Record<(typeof COLUMNS)[number], string | null>;

function texts(values: Values | Partial<CallValues>): CallValues {
  const text = (name: keyof CallValues) => {
    const value = values[name] ?? null;
    return value === null ? null : String(value);
  };
  return Object.fromEntries(COLUMNS.map((name) => [name, text(name)])) as CallValues;
}

const insertCall = stepQuery<CallValues & Writing & { companyId: string }>(
  "insert_planned_call",
  `insert into planned_calls (tenant_id, company_id, ${COLUMNS.join(", ")}, created_at, updated_at, planned_by, changed_by)
  values ($1, :companyId, :due_on::date, :contact_id, :about, :assigned_to, :invoice_id, :moment::timestamptz,
    :moment::timestamptz, :by, :by) returning id`,
).nothing();

const changeCall = stepQuery<CallValues & Writing & { id: string }>(
  "change_planned_call",
  `update planned_calls h set due_on = :due_on::date, contact_id = :contact_id, about = :about,
    assigned_to = :assigned_to, invoice_id = :invoice_id, updated_at = :moment::timestamptz, changed_by = :by
  where h.tenant_id = $1 and h.id = :id and h.deleted_at is null returning h.id`,
).exists();

const storeDay = stepQuery<Writing & { id: string; companyId: string; date: string | null }>(
  "move_planned_call",
  `update planned_calls h set due_on = coalesce(:date::date, h.due_on),
    deleted_at = case when :date::date is null then :moment::timestamptz end, updated_at = :moment::timestamptz,
    changed_by = :by
  where h.tenant_id = $1 and h.id = :id and h.company_id = :companyId and h.deleted_at is null returning h.id`,
).exists();

/** Moves a call to a day; null ends it. Without an id it is the company's next one. Whether there was one. */
async function moveCall(
  run: Run,
  { companyId, ...moved }: { companyId: string; id: string | null; date: string | null },
  writing: Writing,
): Promise<boolean> {
  const id = moved.id ?? (await nextCallOf(run, companyId))?.id ?? null;
  return id !== null && (await storeDay(run, { ...writing, companyId, id, date: moved.date }));
}

const keepCall = stepQuery<Writing & { id: string; companyId: string }>(
  "keep_planned_call",
  `update planned_calls h set deleted_at = null, updated_at = :moment::timestamptz, changed_by = :by
  where h.tenant_id = $1 and h.id = :id and h.company_id = :companyId and h.deleted_at is not null returning h.id`,
).nothing();

const references = selectList({
  contact_id: column.flag(`$3::bigint is null or exists (
    select from contacts k where k.tenant_id = $1 and k.company_id = $2 and k.id = $3 and k.deleted_at is null)`),
  invoice_id: column.flag(`$4::bigint is null or exists (
    select from invoices i where i.tenant_id = $1 and i.company_id = $2 and i.id = $4)`),
});

const referencesOf = stepQuery<[companyId: string, contactId: string | null, invoiceId: string | null]>(
  "check_references_of_call",
  `select ${references.sql}`,
).only(references.read);

const lockContact = stepQuery<[id: string]>(
  "lock_contact_of_call",
  "select k.id from contacts k where k.tenant_id = $1 and k.id = $2 for key share",
).nothing();

/** A contact or an invoice of another company. The contact is locked, because an erasure would miss the call. */
async function wrongReferences(run: Run, companyId: string, values: Values): Promise<FieldErrors | null> {
  const { contact_id: contact, invoice_id: invoice } = texts(values);
  if (contact !== null) await lockContact(run, contact);
  const are = await referencesOf(run, companyId, contact, invoice);
  const wrong = Object.entries(are).filter(([, isRight]) => !isRight);
  return wrong.length === 0 ? null : Object.fromEntries(wrong.map(([name]) => [name, [{ code: "notSelectable" }]]));
}
