import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { dueDay, isUnpaid, leftSql } from "../invoices/money-queries.ts";

const open = selectList({
  id: column.text("i.id"),
  number: column.text("i.number"),
  issuedOn: "i.issued_on",
  dueOn: dueDay,
  currency: column.text("coalesce(i.currency, '')"),
  total: column.text("i.total"),
  paid: column.text("i.paid"),
  left: column.text(leftSql),
});

/** An invoice of a statement: open, or paid too much. */
export type StatedInvoice = Selected<typeof open>;

const paid = selectList({
  invoiceId: column.text("i.id"),
  number: column.text("i.number"),
  paidOn: column.text("p.paid_on"),
  amount: column.text("p.amount"),
  currency: column.text("coalesce(i.currency, '')"),
  means: column.text("p.means"),
  reference: "p.reference",
});

/** A payment of a statement. */
export type StatedPayment = Selected<typeof paid>;

/** $2: the company. */
const openStatement: Statement = {
  name: "stated_invoices",
  text: `select ${open.sql} from invoices i
  where i.tenant_id = $1 and i.company_id = $2 and i.total <> i.paid and (${isUnpaid} or i.status = 'paid' and i.paid <> i.total)
  order by i.currency, ${dueDay}, i.id`,
};

/** $2: the company, $3: the first day. */
const paidStatement: Statement = {
  name: "stated_payments",
  text: `select ${paid.sql} from payments p join invoices i on i.tenant_id = $1 and i.id = p.invoice_id
  where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null and p.paid_on >= $3::date
  order by p.paid_on, p.id`,
};

/** The open invoices of a company, and its payments since a day; all of them. */
export async function statementOf(
  tenant: TenantId,
  database: Database,
  { companyId, from }: { companyId: string; from: string },
): Promise<{ invoices: StatedInvoice[]; payments: StatedPayment[] }> {
  const [invoices = [], payments = []] = await database.slow.readAll(tenant, [
    { statement: openStatement, parameters: [companyId] },
    { statement: paidStatement, parameters: [companyId, from] },
  ]);
  return { invoices: invoices.map(open.read), payments: payments.map(paid.read) };
}
