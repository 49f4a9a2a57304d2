import { childStoredMembers } from "../../customers/company-children/child-json.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Move } from "./merge-queries.ts";

const taxNumbersStatement: Statement = {
  name: "tax_numbers_of_texts",
  text: "select tax_number(text) from unnest($2::text[]) with ordinality as t (text, place) where $1 > 0 order by place",
};

/** Fiscal ids without what people write around their digits. */
export async function taxNumbers(tenant: TenantId, run: Run, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return [];
  return (await run(taxNumbersStatement, [texts])).map(([number]) => String(number));
}

const nextCallStatement: Statement = {
  name: "store_next_call_of_merged",
  text: `update companies c set callback_date = n.due_on, updated_at = moment_after(c.updated_at), changed_by = $3
  from (
    select min(h.due_on) as due_on from planned_calls h
    where h.tenant_id = $1 and h.company_id = $2 and h.deleted_at is null
  ) n
  where c.tenant_id = $1 and c.id = $2 and c.callback_date is distinct from n.due_on returning c.id`,
};

/** Stores the day of the next call of a company whose calls have moved. */
export async function storeMovedCalls(tenant: TenantId, run: Run, company: string, by: string): Promise<void> {
  await run(nextCallStatement, [company, by]);
}

const paymentsStatement: Statement = {
  name: "count_payments_of_company",
  text: "select count(*) from payments p where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null",
};

export async function countPayments(tenant: TenantId, run: Run, company: string): Promise<number> {
  return Number((await run(paymentsStatement, [company]))[0]?.[0]);
}

const remindersStatement: Statement = {
  name: "move_reminders_to_company",
  text: `update reminders r set company_id = $3 where r.tenant_id = $1 and r.company_id = $2 and r.id in (
    select d.reminder_id from reminded d join invoices i on i.tenant_id = $1 and i.id = d.invoice_id
    where d.tenant_id = $1 and i.company_id = $3)`,
};

/** Has reminders follow their invoices. */
export async function moveReminders(tenant: TenantId, run: Run, { from, to }: Omit<Move, "by">): Promise<void> {
  await run(remindersStatement, [from, to]);
}

/** A contact, as childJson reads it. */
export const contactRow: Statement = {
  name: "contact_row",
  text: `select ${columnsOf(
    childStoredMembers(contact).map(({ name }) => name),
    "k",
  )} from contacts k where k.tenant_id = $1 and k.id = $2`,
};
