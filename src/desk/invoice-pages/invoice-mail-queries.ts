import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery } from "../../platform/postgres/query.ts";
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
const OF_INVOICE = "i.tenant_id = $1 and i.id = :invoice";

// `returning`: a cluster would copy the rows otherwise, which row-level security refuses (decision 21).
const loggingActivity = callsOf<{ invoice: string; by: string; note: string }>(
  "activity_of_mailed_invoice",
  `insert into activities (tenant_id, company_id, at, kind, note, changed_by)
  select i.tenant_id, i.company_id, now(), 'email', :note, :by from invoices i where ${OF_INVOICE} returning id`,
);

const loggingActivityOfContact = callsOf<{ contactId: string; by: string; note: string }>(
  "activity_of_contact_with_mailed_invoice",
  `insert into activities (tenant_id, company_id, contact_id, at, kind, note, changed_by)
  select k.tenant_id, k.company_id, k.id, now(), 'email', :note, :by
  from contacts k where k.tenant_id = $1 and k.id = :contactId returning id`,
);

const contactingCompany = callsOf<{ invoice: string }>(
  "company_of_mailed_invoice_contacted",
  `update companies c set last_contacted_at = greatest(c.last_contacted_at, now()) from invoices i
  where ${OF_INVOICE} and c.tenant_id = $1 and c.id = i.company_id`,
);

const contactingContact = callsOf<{ contactId: string; by: string }>(
  "contact_of_mailed_invoice_contacted",
  `update contacts k set last_contacted_at = moment_after(coalesce(k.last_contacted_at, k.created_at)),
    updated_at = moment_after(k.updated_at), changed_by = :by
  where k.tenant_id = $1 and k.id = :contactId and k.deleted_at is null`,
);

/** The calls that write a mailed invoice down as an e-mail to its company, and to the contact if one got it. */
export function mailedInvoice({ invoice, contactId, by }: Mailed, note: string): Call[] {
  if (contactId === null) return [contactingCompany({ invoice }), loggingActivity({ invoice, by, note })];
  return [
    contactingCompany({ invoice }),
    contactingContact({ contactId, by }),
    loggingActivityOfContact({ contactId, by, note }),
  ];
}
