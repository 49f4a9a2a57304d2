import { NOTE_MAX } from "../../customers/activities/activity.ts";
import { loggingEmail } from "../../customers/activities/sent-mail-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { shortened } from "../../platform/text.ts";
import { dueDay, isOverdue, leftSql, unpaidOf } from "../invoices/money-queries.ts";

/** `leaving`: its mail is being sent. `unsure`: it may have been sent. `dropped`: nothing was left to send. */
type ReminderState = "waiting" | "leaving" | "sent" | "unsure" | "dropped" | "failed";

/** The condition of a reminder `r` that was sent, may have been sent, or will be. */
const IS_COUNTED = "r.state in ('waiting', 'leaving', 'sent', 'unsure')";
/** The most invoices of one letter. */
export const MOST_INVOICES = 300;
/** The addresses of a company that can be chosen. */
const MOST_RECIPIENTS = 10;

// `offset`: PostgreSQL may read all corrections of the tenant otherwise.
const IS_CORRECTED = `exists (
    select from invoices k where k.tenant_id = $1 and k.corrects_id = i.id and k.status in ('issued', 'paid') offset 0)`;
/** Whether a reminder may list an invoice `i`. @param today an expression of type date */
const isRemindable = (today: string) => `(${isOverdue(today)} and (i.issued_on is null or i.issued_on < ${today})
    and ${leftSql} > 0 and not ${IS_CORRECTED})`;

const columns = {
  companyId: column.text("i.company_id"),
  id: column.text("i.id"),
  number: column.text("i.number"),
  issuedOn: "i.issued_on",
  dueOn: column.text(dueDay),
  currency: column.text("coalesce(i.currency, '')"),
  left: column.text(leftSql),
};
const invoice = selectList(columns);

/** An overdue invoice, as a letter lists it. */
export type RemindableInvoice = Selected<typeof invoice>;

const candidate = selectList({
  ...columns,
  times: column.number("d.times"),
  /** The newest reminder of the invoice; 0 if there is none. */
  last: column.number("d.last"),
  isRecent: column.flag("d.at > now() - interval '3 days'"),
});

/** The same with its reminders. */
export type OverdueInvoice = Selected<typeof candidate>;

/** The call that finds the overdue invoices of companies, and their reminders (readCandidate). */
export const findingCandidates = callsOf<[companies: readonly string[], today: string]>(
  "invoices_to_remind_of",
  `select ${candidate.sql}
  from unnest($2::bigint[]) c (id)
  cross join lateral (
    select * from (${unpaidOf("c.id")} offset 0) i where ${isRemindable("$3::date")} order by ${dueDay}, i.id limit ${MOST_INVOICES}
  ) i
  cross join lateral (
    select count(*) as times, coalesce(max(r.id), 0) as last, coalesce(max(r.created_at), '-infinity') as at
    from reminded d join reminders r on r.tenant_id = $1 and r.id = d.reminder_id
    where d.tenant_id = $1 and d.invoice_id = i.id and d.left_out is null and ${IS_COUNTED}
  ) d
  order by i.company_id, i.currency, ${dueDay}, i.id`,
);
/** Reads a row of that. */
export const readCandidate = candidate.read;

const recipient = selectList({
  companyId: column.text("c.id"),
  companyName: column.text("c.name"),
  companyEmail: "c.email",
  contactId: "k.id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  email: column.text("k.email"),
  language: column.text("k.preferred_language"),
  /** Whether it is chosen before the company's own address. */
  isFirst: column.flag("k.is_accounting or k.is_primary"),
});

/** A company with one of its contacts that have an address; the contact's members are empty if there is none. */
export type Recipient = Selected<typeof recipient>;

const findingRecipients = callsOf<[companies: readonly string[]]>(
  "recipients_of_reminders",
  `select ${recipient.sql} from companies c
  left join lateral (
    select * from contacts k
    where k.tenant_id = $1 and k.company_id = c.id and k.deleted_at is null and k.email is not null
    order by k.is_accounting desc, k.is_primary desc, fold(k.first_name) collate "C", k.id limit ${MOST_RECIPIENTS}
  ) k on true
  where c.tenant_id = $1 and c.id = any($2::bigint[]) and c.deleted_at is null
  order by c.name, c.id, k.is_accounting desc nulls last, k.is_primary desc, fold(k.first_name) collate "C", k.id`,
);

export async function readRecipients(
  tenant: TenantId,
  database: Database,
  companies: readonly string[],
): Promise<Recipient[]> {
  const [recipients = []] = await database.slow.readAll(tenant, [findingRecipients(companies)]);
  return recipients.map(recipient.read);
}

/** The recipients and the overdue invoices of some companies, in one snapshot. */
export async function readRemindable(
  tenant: TenantId,
  database: Database,
  companies: readonly string[],
  today: string,
): Promise<{ recipients: Recipient[]; candidates: OverdueInvoice[] }> {
  const [recipients = [], candidates = []] = await database.slow.readAll(tenant, [
    findingRecipients(companies),
    findingCandidates(companies, today),
  ]);
  return { recipients: recipients.map(recipient.read), candidates: candidates.map(readCandidate) };
}

/** Locks a company: two people who remind it at once do so one after the other. False if there is none. */
export const lockToRemind = stepQuery<[companyId: string]>(
  "lock_company_to_remind",
  "select c.id from companies c where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null for no key update",
).exists();

/** Those of these ids that are invoices of the company. */
export const invoicesOfCompany = stepQuery<[companyId: string, ids: readonly string[]]>(
  "seen_invoices_of_company",
  "select i.id from invoices i where i.tenant_id = $1 and i.company_id = $2 and i.id = any($3::bigint[])",
).all(([id]) => String(id));

/** Stores a reminder, and returns its id. `mailId` null: it was sent by hand. */
export const insertReminder = stepQuery<{
  companyId: string;
  contactId: string | null;
  mailId: string | null;
  level: number;
  by: string;
}>(
  "insert_reminder",
  `insert into reminders (tenant_id, company_id, contact_id, mail_id, level, changed_by, state, ended_at)
  values ($1, :companyId, :contactId, :mailId, :level, :by, case when :mailId::bigint is null then 'sent' else 'waiting' end,
    case when :mailId::bigint is null then current_timestamp end) returning id`,
).value();

/** Lists invoices in a reminder. */
export const insertReminded = stepQuery<[id: string, invoices: readonly string[]]>(
  "list_in_reminder",
  "insert into reminded (tenant_id, reminder_id, invoice_id) select $1, $2, unnest($3::bigint[]) returning id",
).nothing();

const leaving = selectList({
  id: column.text("r.id"),
  state: column.text<ReminderState>("r.state"),
  hasRecipient:
    column.flag(`exists (select from companies c where c.tenant_id = $1 and c.id = r.company_id and c.deleted_at is null)
    and (r.contact_id is null or exists (
      select from contacts k where k.tenant_id = $1 and k.id = r.contact_id and k.deleted_at is null))`),
});

const lockOfMail = stepQuery<[mailId: string]>(
  "lock_reminder_of_mail",
  `select ${leaving.sql} from reminders r where r.tenant_id = $1 and r.mail_id = $2 for update of r`,
).first(leaving.read);

/** Notes why invoices of a reminder are left out. */
export const leaveOut = stepQuery<[id: string, today: string]>(
  "leave_out_of_reminder",
  `update reminded d set left_out = case when i.status = 'cancelled' then 'cancelled' when ${IS_CORRECTED} then 'corrected'
    when i.status = 'issued' and ${leftSql} > 0 then 'not_due' else 'paid' end
  from invoices i
  where d.tenant_id = $1 and d.reminder_id = $2 and i.tenant_id = $1 and i.id = d.invoice_id and ${isRemindable("$3::date")} is not true`,
).nothing();

const findListed = stepQuery<[id: string]>(
  "listed_in_reminder",
  `select ${invoice.sql} from reminded d join invoices i on i.tenant_id = $1 and i.id = d.invoice_id
  where d.tenant_id = $1 and d.reminder_id = $2 and d.left_out is null order by i.currency, ${dueDay}, i.id`,
).all(invoice.read);

const setState = stepQuery<[id: string, state: ReminderState]>(
  "state_of_reminder",
  `update reminders r set state = $3, ended_at = case when $3 in ('waiting', 'leaving') then null else moment_after(r.created_at) end
  where r.tenant_id = $1 and r.id = $2`,
).nothing();

/**
 * Claims the reminder of a mail that is about to be sent, and takes out the invoices that were paid, cancelled or
 * corrected since. Returns the others. Null if nothing may be sent: no recipient or invoice is left, or an attempt died
 * while sending (it becomes `unsure`).
 */
export async function claimReminder(
  tenant: TenantId,
  database: Database,
  mailId: string,
  today: string,
): Promise<RemindableInvoice[] | null> {
  return await database.transaction(tenant, async (run) => {
    const found = await lockOfMail(run, mailId);
    if (found?.state === "leaving") await setState(run, found.id, "unsure");
    if (found?.state !== "waiting") return null;
    await leaveOut(run, found.id, today);
    const listed = await findListed(run, found.id);
    const isLeaving = found.hasRecipient && listed.length > 0;
    await setState(run, found.id, isLeaving ? "leaving" : "dropped");
    return isLeaving ? listed : null;
  });
}

/** Records how the mail of a reminder ended. `late`: it was given up without another attempt. */
export const reminderEnd = callsOf<[mailId: string, state: Exclude<ReminderState, "leaving" | "dropped"> | "late"]>(
  "end_reminder_of_mail",
  `update reminders r set state = case when r.state = 'leaving' and $3 = 'late' then 'unsure' when $3 = 'late' then 'failed' else $3 end,
    ended_at = case when $3 <> 'waiting' then moment_after(r.created_at) end
  where r.tenant_id = $1 and r.mail_id = $2`,
);

/** A reminder by its id, or by that of its mail; the other one is null. */
type Named = { id: string | null; mailId: string | null };

const loggingReminder = loggingEmail("reminder", {
  from: "reminders m where m.tenant_id = $1 and (m.id = :id::bigint or m.mail_id = :mailId::bigint)",
  company: "m.company_id",
  contact: "m.contact_id",
  by: "m.changed_by",
});

/** The calls that write a sent reminder down as an e-mail to its company. */
export function loggingAsEmail(of: Named, text: string): Call[] {
  return loggingReminder(of, shortened(text.trim(), NOTE_MAX));
}

const last = selectList({
  companyId: column.text("c.id"),
  level: column.number("r.level"),
  /** PostgreSQL's text. */
  at: column.text("r.created_at"),
  state: column.text<Exclude<ReminderState, "dropped" | "failed">>("r.state"),
});

export type LastReminder = Selected<typeof last>;

/** The newest reminder of each of some companies. */
export const lastReminders = quickQuery<[companies: string[]]>(
  "last_reminders",
  `select ${last.sql} from unnest($2::bigint[]) c (id)
  cross join lateral (
    select * from reminders r where r.tenant_id = $1 and r.company_id = c.id and ${IS_COUNTED} order by r.id desc limit 1
  ) r`,
).all(last.read);

const shown = selectList({
  id: column.text("r.id"),
  level: column.number("r.level"),
  at: column.text("r.created_at"),
  state: column.text<ReminderState>("r.state"),
  isByHand: column.flag("r.mail_id is null"),
  by: column.text("r.changed_by"),
  byName: `case when r.changed_by like 'user:%'
    then (select u.name from users u where u.tenant_id = $1 and u.id = substr(r.changed_by, 6)::bigint) end`,
  contactId: "k.id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  invoices: {
    sql: `(select json_agg(json_build_object('id', i.id, 'number', i.number, 'leftOut', d.left_out) order by i.id)
      from reminded d join invoices i on i.tenant_id = $1 and i.id = d.invoice_id
      where d.tenant_id = $1 and d.reminder_id = r.id)`,
    read: (json) => JSON.parse(json ?? "[]") as { id: number; number: string; leftOut: LeftOutOfLetter | null }[],
  },
});

export type LeftOutOfLetter = "paid" | "cancelled" | "corrected" | "not_due";
export type ShownReminder = Selected<typeof shown>;

/** The reminders of a company, the newest first, `most` of them. */
export const remindersOfCompany = quickQuery<[company: string, most: number]>(
  "reminders_of_company",
  `select ${shown.sql} from (
    select * from reminders r where r.tenant_id = $1 and r.company_id = $2 order by r.id desc limit $3
  ) r left join contacts k on k.tenant_id = $1 and k.id = r.contact_id order by r.id desc`,
).all(shown.read);
