import { nameOfWriter } from "../../kit/changes/change-queries.ts";
import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

const listed = selectList({
  id: column.text("h.id"),
  companyId: column.text("h.company_id"),
  date: column.text("h.due_on"),
  about: "h.about",
  contactId: "k.id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  assignedTo: "h.assigned_to",
  userName: "u.name",
  invoiceId: "i.id",
  invoiceNumber: "i.number",
});

/** A call to come, with the current names. */
export type PlannedCall = Selected<typeof listed>;

/** The person, the user and the invoice of a call `h`. */
const besideCall = `left join contacts k on k.tenant_id = $1 and k.id = h.contact_id and k.deleted_at is null
  left join users u on u.tenant_id = $1 and u.id = h.assigned_to
  left join invoices i on i.tenant_id = $1 and i.id = h.invoice_id`;

const COMING = "h.tenant_id = $1 and h.deleted_at is null";

/** The most calls of a company or an invoice that are shown, the earliest. */
const SHOWN = 20;

export const callsOfCompany = quickQuery<[companyId: string]>(
  "calls_of_company",
  `select ${listed.sql} from planned_calls h ${besideCall} where ${COMING} and h.company_id = $2
  order by h.due_on, h.id limit ${SHOWN}`,
).all(listed.read);

export const callsAboutInvoice = quickQuery<[invoiceId: string]>(
  "calls_about_invoice",
  `select ${listed.sql} from planned_calls h ${besideCall} where ${COMING} and h.invoice_id = $2
  order by h.due_on, h.id limit ${SHOWN}`,
).all(listed.read);

/** A call to come of a company that is not deleted. */
export const findPlannedCall = quickQuery<[id: string]>(
  "find_planned_call",
  `select ${listed.sql} from planned_calls h ${besideCall}
  join companies c on c.tenant_id = $1 and c.id = h.company_id and c.deleted_at is null where ${COMING} and h.id = $2`,
).first(listed.read);

/** The company of a call, also of one that is over. */
export const companyOfCall = quickQuery<[id: string]>(
  "company_of_call",
  "select h.company_id from planned_calls h where h.tenant_id = $1 and h.id = $2",
).value();

const replaced = selectList({
  id: column.text("h.id"),
  date: column.text("h.due_on"),
  by: "h.planned_by",
  name: nameOfWriter.replaceAll("h.changed_by", "h.planned_by"),
});

/** A call that another one replaced: its day, and who planned it. */
export type ReplacedCall = Selected<typeof replaced>;

export const nextCallOf = stepQuery<[companyId: string]>(
  "next_call_of_company",
  `select ${replaced.sql} from planned_calls h where ${COMING} and h.company_id = $2 order by h.due_on, h.id limit 1`,
).first(replaced.read);
