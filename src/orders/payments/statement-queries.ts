import type { Database } from "../../platform/postgres/database.ts";
import { callWith, namedStatement } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
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
  id: column.text("p.id"),
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

/** The place of an invoice in a statement. */
const place = `(coalesce(i.currency, ''), coalesce(${dueDay}, 'infinity'), i.id)`;

const openStatement = namedStatement(
  "stated_invoices",
  `select ${open.sql} from invoices i
  where i.tenant_id = $1 and i.company_id = :companyId and (${isUnpaid} or ${isPaidOtherwise}) and ${restSql} <> 0
    and ${place} > (:currency, :day::date, :id::bigint)
  order by ${place.slice(1, -1)} limit :most`,
);

const paidStatement = namedStatement(
  "stated_payments",
  `select ${paid.sql} from payments p join invoices i on i.tenant_id = $1 and i.id = p.invoice_id
  where p.tenant_id = $1 and p.company_id = :companyId and p.deleted_at is null and (p.paid_on, p.id) > (:day::date, :id::bigint)
  order by p.paid_on, p.id limit :most`,
);

/** The open invoices behind the last one; `most` of them. */
function openAfter(companyId: string, most: number, last?: StatedInvoice): Call {
  const { currency = "", id = 0 } = last ?? {};
  const day = last === undefined ? "-infinity" : (last.dueOn ?? "infinity");
  return callWith(openStatement, { companyId, most, currency, day, id });
}

/** The payments since a day, or behind the last one; `most` of them. */
function paidAfter(companyId: string, most: number, from: string, last?: StatedPayment): Call {
  return callWith(paidStatement, { companyId, most, day: last?.paidOn ?? from, id: last?.id ?? 0 });
}

/** The open invoices of a company, and its payments since a day. @param most of each */
export async function statementOf(
  tenant: TenantId,
  database: Database,
  { companyId, from, most }: { companyId: string; from: string; most: number },
): Promise<{ invoices: StatedInvoice[]; payments: StatedPayment[] }> {
  const calls = [openAfter(companyId, most), paidAfter(companyId, most, from)];
  const [invoices = [], payments = []] = await database.slow.readAll(tenant, calls);
  return { invoices: invoices.map(open.read), payments: payments.map(paid.read) };
}

/** Rows of a file that are read at once. */
const AT_ONCE = 500;

/** All open invoices of a company, in the order of its statement. */
export function allStatedInvoices(tenant: TenantId, database: Database, companyId: string) {
  return inParts(async (last?: StatedInvoice) => {
    const [rows = []] = await database.slow.readAll(tenant, [openAfter(companyId, AT_ONCE, last)]);
    return rows.map(open.read);
  });
}

/** All payments of a company since a day, in the order of its statement. */
export function allStatedPayments(tenant: TenantId, database: Database, companyId: string, from: string) {
  return inParts(async (last?: StatedPayment) => {
    const [rows = []] = await database.slow.readAll(tenant, [paidAfter(companyId, AT_ONCE, from, last)]);
    return rows.map(paid.read);
  });
}

/** Parts that each begin behind the last row of the one before. */
async function* inParts<T>(read: (last?: T) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let part = await read(); part.length > 0; part = part.length < AT_ONCE ? [] : await read(part.at(-1)))
    yield part;
}
