import type { Deps } from "../../kit/deps.ts";
import { asking } from "../../kit/web/asking.ts";
import { sumOf } from "../../kit/web/assets/numbers.js";
import { amount, listOf, type Language } from "../../kit/web/language.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { Page, PageRequest, Redirected } from "../../kit/web/page.ts";
import { findCredit, type Credit } from "../../orders/invoices/credit-queries.ts";
import { storedLines } from "../../orders/invoices/invoice.ts";
import { hasOtherTotal } from "../../orders/invoices/other-total.ts";
import { deliveryAhead } from "../../orders/invoices/pages/delivery.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { invoicePageWords } from "./invoice-page-words.ts";
import { sendFromPage } from "./show-invoice-page.ts";

/** In the form: the person has read the question. */
export const ANYWAY = "anyway";

/** GET /invoices/{id}/send: asks, if something speaks against sending the invoice. */
export const askToSendPage: Page = async (deps, request) => {
  const { invoice, companyName } = await invoiceOf(deps, request);
  const back = ownPath(request.query.get("to")) ?? `/invoices/${invoice.id}`;
  const doubts = await doubtsAbout(deps, viewerOf(request), invoice, companyName);
  if (doubts.length === 0) return { to: back };
  const words = invoicePageWords[request.language];
  return asking(request.language, {
    title: words.sendTitle(invoice.number ?? ""),
    area: "orders",
    consequences: doubts,
    facts: await deliveryAhead(deps, request.actor, invoice, request.language),
    action: `/invoices/${invoice.id}/send`,
    value: { name: ANYWAY, value: "1" },
    seen: { name: "to", value: back },
    submit: words.sendAnyway,
    back,
    keep: words.notYet,
  });
};

/** POST /invoices/{id}/send: once, however often it is pressed. Doubts are asked about first. */
export const sendInvoicePage: Page = async (deps, request) => {
  const { invoice, companyName } = await invoiceOf(deps, request);
  return await sendUnlessInDoubt(deps, request, { invoice, companyName });
};

/** Sends an invoice, or goes to the question about it. */
export async function sendUnlessInDoubt(
  deps: Deps,
  request: PageRequest,
  { invoice, companyName }: { invoice: RowByName; companyName: string },
): Promise<Redirected> {
  const to = ownPath(request.form.get("to"));
  const page = `/invoices/${invoice.id}`;
  const isAsked = request.form.has(ANYWAY) || deps.warehouse === null;
  if (!isAsked && (await doubtsAbout(deps, viewerOf(request), invoice, companyName)).length > 0) {
    return { to: to === null ? `${page}/send` : `${page}/send?to=${encodeURIComponent(to)}` };
  }
  return { to: to ?? page, notice: await sendFromPage(deps, request, invoice) };
}

function viewerOf({ actor, session, language }: PageRequest): Viewer {
  return { tenant: actor.tenant, today: dayAfter(0, session.workspace.timeZone), language };
}

/** `today`: in the workspace's time zone. */
type Viewer = { tenant: TenantId; today: string; language: Language };

/** The doubts about sending an invoice, as sentences: a wrong total, late payments, an exceeded credit limit. */
export async function doubtsAbout(
  { database }: { database: Database },
  { tenant, today, language }: Viewer,
  invoice: RowByName,
  companyName: string,
): Promise<string[]> {
  const words = invoicePageWords[language];
  const of = (value: string) => amount(language, value, invoice.currency ?? null) ?? value;
  const total = invoice.total ?? "0";
  const [id, company] = [String(invoice.id), String(invoice.company_id)];
  const credit = await findCredit(tenant, database, {
    company,
    invoice: id,
    currency: invoice.currency ?? null,
    total,
    today,
  });
  return [
    ...(hasOtherTotal(invoice)
      ? [words.otherTotal(of(total), of(sumOf(storedLines(invoice.lines ?? null), invoice.currency)))]
      : []),
    ...(credit === null ? [] : doubtsAboutCredit(credit, { company: companyName, of, language })),
  ];
}

function doubtsAboutCredit(
  { limit, owed, exceeds, daysLate, late }: Credit,
  { company, of, language }: { company: string; of: (value: string) => string; language: Language },
): string[] {
  const words = invoicePageWords[language];
  const sums = late.map(({ amount: sum, currency }) => amount(language, sum, currency) ?? "");
  return [
    ...(daysLate === null ? [] : [words.owesLate(company, listOf(language, sums, sums.length), daysLate)]),
    ...(exceeds && limit !== null ? [words.exceedsLimit(of(owed), of(limit))] : []),
  ];
}
