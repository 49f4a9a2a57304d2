import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Paper } from "../../kit/paper/paper.ts";
import { renderPaper } from "../../kit/paper/render-paper.ts";
import type { Language } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { listRelated } from "../../orders/invoices/invoice-queries.ts";
import { deliveryOf } from "../../orders/invoices/pages/delivery.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { recipientOf } from "../../orders/reminders/letters.ts";
import { findDetails, findLogo, lettersLanguage } from "../../people/tenants/workspace-details-queries.ts";
import { normalized } from "../../platform/text.ts";
import { invoicePaper, placeOfGoods } from "./invoice-paper.ts";

/** GET /invoices/{id}/pdf: the paper of an invoice as a file, in the language of its company. */
export const invoicePdfPage: Page = async (deps, request) => {
  const read = async () => await readPaper(deps, request, request.session.workspace, null);
  const { paper, pdf } = await renderPaper(deps, request.actor.tenant, read);
  return { file: pdfName(paper), contentType: "application/pdf", body: pdf };
};

/**
 * The paper of the invoice that the path names, as it is now. Throws resourceMissing.
 * @param chosen the language; null: that of the company's letters
 */
export async function readPaper(
  deps: Deps,
  request: Pick<PageRequest, "actor" | "params">,
  workspace: { name: string; country: string },
  chosen: Language | null,
): Promise<Paper> {
  const { database } = deps;
  const { tenant } = request.actor;
  const { invoice, companyName } = await invoiceOf(deps, request);
  const companyId = String(invoice.company_id);
  const [company, details, related] = await Promise.all([
    companyOf(deps, { actor: request.actor, params: { id: companyId } }),
    findDetails(tenant, database),
    listRelated(tenant, database, String(invoice.id), invoice.corrects_id ?? null),
  ]);
  const delivery = await deliveryOf(deps, tenant, company, invoice.delivery_address_id ?? null);
  const usual = lettersLanguage(details, workspace.country);
  const language = chosen ?? (await recipientOf(tenant, database, companyId, usual))?.language ?? usual;
  const place = placeOfGoods(invoice, companyName, delivery);
  const paper = invoicePaper({ invoice, company, workspace, details, related, place }, language);
  const logo = details.hasLogo ? await findLogo(tenant, database) : null;
  return { ...paper, logo: logo?.base64 ?? null };
}

/** The characters of the name of a file. */
const MOST_NAME = 80;

/** The name of a paper's file, in letters that every system takes: `Factura-ACM-0042.pdf`. */
export function pdfName({ title, number }: Paper): string {
  const plain = normalized(`${title}-${number}`.slice(0, MOST_NAME), MOST_NAME, "NFD") ?? "";
  return `${plain.replaceAll(/\p{M}/gu, "").replaceAll(/[^\w.-]+/g, "-")}.pdf`;
}
