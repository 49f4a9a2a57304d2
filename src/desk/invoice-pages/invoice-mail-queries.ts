import { loggingEmail } from "../../customers/activities/sent-mail-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

const mailable = selectList({
  status: column.textOrNull("i.status"),
  /** Whether the contact that it goes to is still there, if it is one. */
  hasContact: column.flag(`$3::bigint is null
    or exists (select from contacts k where k.tenant_id = $1 and k.id = $3::bigint and k.deleted_at is null)`),
});

const findMailable = quickQuery<[id: string, contactId: string | null]>(
  "find_invoice_to_mail",
  `select ${mailable.sql} from invoices i
  join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
  where i.tenant_id = $1 and i.id = $2`,
).first(mailable.read);

/** An invoice that is about to be mailed; null if it is gone, or its company. */
export async function findInvoiceToMail(
  tenant: TenantId,
  database: Database,
  id: string,
  contactId: string | null,
): Promise<Selected<typeof mailable> | null> {
  return await findMailable(tenant, database, id, contactId);
}

type Mailed = { invoice: string; contactId: string | null; by: string };

const INVOICE = { from: "invoices m where m.tenant_id = $1 and m.id = :invoice", company: "m.company_id", by: ":by" };
const logging = loggingEmail("mailed_invoice", { ...INVOICE, contact: null });
const loggingWithContact = loggingEmail("invoice_mailed_to_contact", { ...INVOICE, contact: ":contactId" });

/** The calls that write a mailed invoice down as an e-mail to its company, and to the contact if one got it. */
export function loggingMailedInvoice(mailed: Mailed, note: string): Call[] {
  return (mailed.contactId === null ? logging : loggingWithContact)(mailed, note);
}
