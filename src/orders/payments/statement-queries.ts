import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { dueDay, isPaidOtherwise, isUnpaid, owedSql, restSql } from "../invoices/money-queries.ts";

const open = selectList({
  id: column.text("i.id"),
  number: column.text("i.number"),
  issuedOn: "i.issued_on",
  dueOn: dueDay,
  currency: column.text("coalesce(i.currency, '')"),
  total: column.text(owedSql),
  paid: column.text("i.paid"),
  left: column.text(restSql),
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

/** $2: the company, $3: the most rows, $4: the rows before them. */
const openStatement: Statement = {
  name: "stated_invoices",
  text: `select ${open.sql} from invoices i
  where i.tenant_id = $1 and i.company_id = $2 and (${isUnpaid} or ${isPaidOtherwise}) and ${restSql} <> 0
  order by i.currency, ${dueDay}, i.id limit $3 offset $4`,
};

/** $2: the company, $3: the first day, $4: the most rows, $5: the rows before them. */
const paidStatement: Statement = {
  name: "stated_payments",
  text: `select ${paid.sql} from payments p join invoices i on i.tenant_id = $1 and i.id = p.invoice_id
  where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null and p.paid_on >= $3::date
  order by p.paid_on, p.id limit $4 offset $5`,
};

/** The open invoices of a company, and its payments since a day. @param rows of each */
export async function statementOf(
  tenant: TenantId,
  database: Database,
  { companyId, from, rows }: { companyId: string; from: string; rows: { most: number; offset: number } },
): Promise<{ invoices: StatedInvoice[]; payments: StatedPayment[] }> {
  const [invoices = [], payments = []] = await database.slow.readAll(tenant, [
    { statement: openStatement, parameters: [companyId, rows.most, rows.offset] },
    { statement: paidStatement, parameters: [companyId, from, rows.most, rows.offset] },
  ]);
  return { invoices: invoices.map(open.read), payments: payments.map(paid.read) };
}
