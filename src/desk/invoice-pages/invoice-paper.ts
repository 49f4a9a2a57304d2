import { html, type Html } from "../../kit/web/html.ts";
import type { Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import type { WorkspaceDetails } from "../../people/tenants/workspace-details-queries.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { invoicePageWords } from "./invoice-page-words.ts";

/** The seller and the buyer, as an invoice has them on paper only. */
export function parties({ firm, hasLogo }: WorkspaceDetails, company: RowByName, request: PageRequest): Html {
  const words = invoicePageWords[request.language];
  const { workspace } = request.session;
  const { address = null, city = null, county = null, postal_code: code = null } = company;
  const place = [address, [code, city].filter(Boolean).join(" "), county === city ? null : county, company.country];
  const buyer = {
    name: company.name ?? "",
    tax_id: company.tax_id,
    registration_number: company.registration_number,
    address: company.fiscal_address ?? place.filter(Boolean).join(", "),
  };
  // The picture is read before it is printed, and not for the screen.
  return html`<p class="printed start">${words.paper}</p><section class="parties printed"><div>${hasLogo && html`<img src="/workspace/logo" alt="" loading="lazy">`}${party(words.seller, { name: workspace.name, ...firm }, words)}</div>
<div>${party(words.buyer, buyer, words)}</div></section>`;
}

/** The payment terms and the account, below the lines on paper. */
export function paymentTerms({ firm, paymentDays }: WorkspaceDetails, company: RowByName, request: PageRequest): Html {
  const words = invoicePageWords[request.language];
  const days = Number(company.payment_days ?? paymentDays);
  const account = [firm.iban, firm.bank].filter(Boolean).join(", ");
  return html`<p class="printed start">${words.payWithin(days)}${account !== "" && html`<br>${words.payTo(account)}`}</p>`;
}

type Party = { name: string } & { [Fact in PartyFact | "address"]?: string | null | undefined };
type PartyFact = "tax_id" | "registration_number" | "phone" | "email";

function party(role: string, party: Party, words: (typeof invoicePageWords)[Language]): Html {
  const facts: [label: string, value: string | null | undefined][] = [
    [words.taxId, party.tax_id],
    [words.registration, party.registration_number],
    ["", party.address],
    ["", party.phone],
    ["", party.email],
  ];
  const shown = facts.filter(([, value]) => (value ?? "") !== "");
  return html`<small>${role}</small><strong>${party.name}</strong>${shown.map(([label, value]) => html`<span>${label} ${value}</span>`)}`;
}
