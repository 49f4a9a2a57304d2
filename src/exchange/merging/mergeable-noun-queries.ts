import { childStoredMembers } from "../../customers/company-children/child-json.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import { stepQuery } from "../../platform/postgres/query.ts";

/** Fiscal ids without what people write around their digits. */
export const taxNumbers = stepQuery<[texts: readonly string[]]>(
  "tax_numbers_of_texts",
  "select tax_number(text) from unnest($2::text[]) with ordinality as t (text, place) where $1 > 0 order by place",
).all(([number]) => String(number));

/** Stores the day of the next call of a company whose calls have moved. */
export const storeMovedCalls = stepQuery<[company: string, by: string]>(
  "store_next_call_of_merged",
  `update companies c set callback_date = n.due_on, updated_at = moment_after(c.updated_at), changed_by = $3
  from (
    select min(h.due_on) as due_on from planned_calls h
    where h.tenant_id = $1 and h.company_id = $2 and h.deleted_at is null
  ) n
  where c.tenant_id = $1 and c.id = $2 and c.callback_date is distinct from n.due_on returning c.id`,
).nothing();

export const countPayments = stepQuery<[company: string]>(
  "count_payments_of_company",
  "select count(*) from payments p where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null",
).number();

/** Has reminders follow their invoices. */
export const moveReminders = stepQuery<[from: string, to: string]>(
  "move_reminders_to_company",
  `update reminders r set company_id = $3 where r.tenant_id = $1 and r.company_id = $2 and r.id in (
    select d.reminder_id from reminded d join invoices i on i.tenant_id = $1 and i.id = d.invoice_id
    where d.tenant_id = $1 and i.company_id = $3)`,
).nothing();

/** A contact, as childJson reads it. */
export const findContactRow = stepQuery<[id: string]>(
  "contact_row",
  `select ${columnsOf(
    childStoredMembers(contact).map(({ name }) => name),
    "k",
  )} from contacts k where k.tenant_id = $1 and k.id = $2`,
).row();
