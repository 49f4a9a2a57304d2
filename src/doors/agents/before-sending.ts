import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { doubtsAbout } from "../../desk/invoice-pages/ask-to-send.ts";
import { storedLines } from "../../orders/invoices/invoice.ts";
import { todayOf } from "../../orders/invoices/money-queries.ts";
import { deliveryOf, placeIn, placeTexts } from "../../orders/invoices/pages/delivery.ts";
import { withoutSku } from "../../orders/invoices/pages/line-table.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { nameInQuestion } from "./confirmation.ts";
import type { AgentSession, JsonObject } from "./session.ts";

/** The place to which the goods of an invoice would go, and the doubts about sending it now, for a question. */
export async function beforeSending(
  { deps, actor }: AgentSession,
  invoice: RowByName,
): Promise<{ deliver_to: JsonObject; goTo: string; doubts: string[] }> {
  const { tenant } = actor;
  const company = await companyOf(deps, { actor, params: { id: String(invoice.company_id) } });
  const chosen = invoice.delivery_address_id ?? null;
  const place = placeIn(await deliveryOf(deps, tenant, company, chosen), chosen);
  const { label, address, city } = place;
  const { label: to, name, rest } = placeTexts({ ...place, contact: null, phone: null, notes: null }, "en");
  const viewer = { tenant, today: String(await todayOf(tenant, deps.database)), language: "en" } as const;
  const noSku = withoutSku(storedLines(invoice.lines ?? null));
  const doubts = [
    ...(await doubtsAbout(deps, viewer, invoice, "The company")),
    ...(address === null ? ["The warehouse gets no street."] : []),
    ...(noSku > 0 ? [`Lines without a SKU: ${noSku}.`] : []),
  ];
  return { deliver_to: { label, address, city }, goTo: `${to} ${nameInQuestion(`${name}${rest}`)}`, doubts };
}
