import type { Deps } from "../../kit/deps.ts";
import { cellOfDay, cellOfNumber, type Cell } from "../../kit/files/cells.ts";
import { exportBatches } from "../../kit/files/report-file.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import type { Downloaded, PageRequest } from "../../kit/web/page.ts";
import { daysLate, dueDayOf } from "../../orders/invoices/due-day.ts";
import { invoiceStatusWords } from "../../orders/invoices/invoice-words.ts";
import { leftOfRow } from "../../orders/invoices/paid.ts";
import { shownStateOf, shownWord } from "../../orders/invoices/shown-state.ts";
import { ordersForFile, type FiledOrder } from "../../orders/wms/orders/order-file-queries.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { usersEver } from "../../people/users/user-queries.ts";

const words: InLanguages<{ taxId: string; left: string; daysLate: string }> = {
  en: { taxId: "Fiscal id", left: "Left to pay", daysLate: "Days late" },
  ro: { taxId: "Cod fiscal", left: "Rest de încasat", daysLate: "Zile de întârziere" },
};

/** A file of invoices for people, in their language. @param find the ids in their order; null: all invoices */
export function orderFile(deps: Deps, request: PageRequest, find: () => Promise<string[] | null>): Downloaded {
  const { actor, language } = request;
  async function* batches(): AsyncGenerator<Cell[][]> {
    const [ids, users] = await Promise.all([find(), usersEver(actor.tenant, deps.database)]);
    const owners = new Map(users.map(({ id, name }) => [id, name]));
    for await (const orders of ordersForFile(actor.tenant, deps, ids))
      yield orders.map((order) => cellsOf(order, owners, request));
  }
  const { company, currency, paid, order, orderNumber, instance, owner } = orderListWords[language];
  const { number, issued, due, total } = wayWords[language];
  const { taxId, left, daysLate: late } = words[language];
  const ofInvoice = [number, company, taxId, issued, due, total, left, currency, paid, late];
  return exportBatches(deps, request, {
    file: "orders",
    head: [...ofInvoice, order, orderNumber, instance, owner],
    batches,
  });
}

function cellsOf(
  { invoice, company, taxId, owner }: FiledOrder,
  owners: ReadonlyMap<string, string>,
  { language, session }: PageRequest,
): Cell[] {
  const { number, issued_on: issued, total, currency, status, wms_order_id: id, wms_instance: instance } = invoice;
  const { unpaid } = orderListWords[language];
  const left = status === "issued" ? leftOfRow(invoice) : null;
  const late = daysLate(invoice, session.workspace.timeZone);
  return [
    number ?? "",
    company,
    taxId ?? "",
    cellOfDay(issued?.slice(0, 10)),
    cellOfDay(dueDayOf(invoice)),
    cellOfNumber(total),
    cellOfNumber(left),
    currency ?? "",
    status === "issued" ? unpaid : (invoiceStatusWords[language][status ?? ""] ?? ""),
    late > 0 ? { number: String(late) } : "",
    shownWord(shownStateOf(invoice), language),
    invoice.wms_order_number ?? id ?? "",
    instance ?? "",
    owners.get(owner ?? "") ?? "",
  ];
}
