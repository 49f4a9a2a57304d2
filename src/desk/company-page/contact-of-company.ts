import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { ChildNoun } from "../../customers/company-children/pages/noun.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { html } from "../../kit/web/html.ts";
import { mergesHint } from "../merging/merges-hint.ts";
import { figures } from "./figures.ts";
import { readSections } from "./section.ts";
import { newestInvoices } from "./sections.ts";

/** The orders of a contact's page. */
const ORDERS = 3;

/** Contacts with what a caller asks about: the figures of the company, and its newest orders. */
export const contactOfCompany: ChildNoun = {
  ...contactNoun,
  above: async (deps, request, id) => await mergesHint(deps, request, "contact", id),
  async sections(deps, request, row) {
    const company = await companyOf(deps, { actor: request.actor, params: { id: String(row.company_id) } });
    const [own, ofCompany, orders] = await Promise.all([
      contactNoun.sections?.(deps, request, row),
      figures(deps, request, company),
      readSections([newestInvoices(ORDERS)], deps, request, company),
    ]);
    return html`${ofCompany}${own}${orders}`;
  },
};
