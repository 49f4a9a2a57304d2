import { addressNoun } from "../../customers/addresses/pages/address-noun.ts";
import { plannedCallLabels } from "../../customers/calls/planned-call-words.ts";
import { companyWording } from "../../customers/companies/pages/wording.ts";
import { childWording } from "../../customers/company-children/pages/wording.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { customFieldWords } from "../../customers/custom-fields/custom-field-words.ts";
import { withCustomWording } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Wording } from "../../kit/changes/change-words.ts";
import type { Deps } from "../../kit/deps.ts";
import { day, decimal, moment } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { invoiceStatusWords, wmsStateWords } from "../../orders/invoices/invoice-words.ts";
import { invoice } from "../../orders/invoices/invoice.ts";
import { orderStatusWord } from "../../orders/invoices/order-words.ts";
import { meansWords, paymentLabels } from "../../orders/payments/payment-words.ts";
import { listItems } from "../../platform/fields/list-items.ts";
import { otherLabels } from "./history-words.ts";
import { workspaceWording } from "./workspace-wording.ts";

/** How the changes of each type are shown. */
export async function allWordings(deps: Deps, request: PageRequest): Promise<(type: string) => Wording> {
  const company = await companyWording(deps, request);
  const workspace = workspaceWording(request);
  const invoice = await invoiceWording(deps, request);
  const wordings: Readonly<Record<string, Wording>> = {
    company: withWarehouse(company),
    contact: await childWording(contactNoun, deps, request),
    address: await childWording(addressNoun, deps, request),
    invoice,
    payment: paymentWording(request),
    planned_call: { ...company, labels: plannedCallLabels[request.language], value: callValue(company) },
    connection: workspace,
    user: workspace,
    invitation: workspace,
    api_key: workspace,
    webhook: workspace,
    custom_field: definitionWording(request),
    workspace,
  };
  const { language } = request;
  return (type) => {
    const wording = wordings[type] ?? invoice;
    return { ...wording, labels: { ...otherLabels[language], ...wording.labels } };
  };
}

function paymentWording({ language, session }: PageRequest): Wording {
  const means: Readonly<Record<string, string>> = meansWords[language];
  return {
    labels: paymentLabels[language],
    language,
    timeZone: session.workspace.timeZone,
    value(field, value, currency) {
      if (field === "paid_on") return day(language, value);
      if (field === "amount") return decimal(language, value, currency);
      return field === "means" ? (means[value] ?? value) : value;
    },
  };
}

function definitionWording({ language, session }: PageRequest): Wording {
  const { labels, kinds, nouns } = customFieldWords[language];
  const words: Readonly<Record<string, string>> = { ...kinds, ...nouns };
  return {
    labels,
    language,
    timeZone: session.workspace.timeZone,
    value(field, value) {
      if (field === "options") return optionLabels(value);
      if (field === "archived") return shellWords[language][value === "true" ? "yes" : "no"];
      return field === "kind" || field === "noun" ? (words[value] ?? value) : value;
    },
  };
}

function optionLabels(stored: string): string {
  return listItems(stored)
    .map(({ label }) => String(label))
    .join(", ");
}

/** A company's fields without a form: its warehouse connection. */
function withWarehouse(company: Wording): Wording {
  const { language, value } = company;
  return {
    ...company,
    value(field, stored) {
      if (field === "wms_send_automatically") return shellWords[language][stored === "true" ? "yes" : "no"];
      return value(field, stored);
    },
  };
}

/** The values of a call to come. */
function callValue({ language, value }: Wording): Wording["value"] {
  return (field, stored) => {
    if (field === "due_on") return day(language, stored);
    return field === "assigned_to" ? value(field, stored) : field === "about" ? stored : `#${stored}`;
  };
}

const MOMENTS = new Set(["wms_synced_at", "wms_gone_at", "wms_settled_at", "wms_put_off_until"]);

export async function invoiceWording({ database }: Deps, { actor, language, session }: PageRequest): Promise<Wording> {
  const { timeZone } = session.workspace;
  const kinds = new Map(invoice.fields.map(({ name, kind }) => [name, kind]));
  return withCustomWording(await customTable(actor.tenant, database, "invoice"), {
    labels: otherLabels[language],
    language,
    timeZone,
    value(field, value, currency) {
      if (field === "status") return invoiceStatusWords[language][value] ?? value;
      if (field === "wms_state") return wmsStateWords[language][value] ?? value;
      if (field === "wms_status") return orderStatusWord(value, language);
      if (field === "delivery_address_id") return `#${value}`;
      if (MOMENTS.has(field)) return moment(language, value, timeZone);
      if (kinds.get(field) === "date") return day(language, value);
      return kinds.get(field) === "decimal" ? decimal(language, value, currency) : value;
    },
  });
}
