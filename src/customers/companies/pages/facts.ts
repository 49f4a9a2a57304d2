import { websiteLink } from "../../../kit/web/contact-links.ts";
import { copyButton } from "../../../kit/web/copy-button.ts";
import { fieldValue } from "../../../kit/web/field-value.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { InLanguages, Language } from "../../../kit/web/language.ts";
import type { FieldLabels } from "../../../kit/web/messages.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { NO_CUSTOM_FIELDS, type CustomTable } from "../../../platform/fields/custom.ts";
import type { Field, NameOf } from "../../../platform/fields/fields.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { customLabels, customContent } from "../../custom-fields/custom-inputs.ts";
import { companyLabels, companyWords, factWords } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { isOddTaxId } from "../odd-tax-id.ts";
import { companyStatus } from "./company-status.ts";

type FieldName = NameOf<typeof companyFields>;

/** The facts in their groups and their order. The page's heading has the status and the owner. */
const GROUPS = {
  contact: ["phone", "email", "website"],
  address: ["address", "city", "county", "postal_code", "country"],
  registration: [
    "tax_id",
    "registration_number",
    "industry",
    "activity_domain",
    "fiscal_address",
    "managing_company",
    "employee_count",
  ],
  relationship: ["callback_date", "delivery_notes", "notes", "status_code"],
} as const satisfies Record<string, readonly FieldName[]>;

/** The facts that have a line even without a value. */
const ASKED_FOR = new Set<string>(["phone", "email", "city", "county", "tax_id", "callback_date", "notes"]);

/** The facts with a button that copies them. */
const COPIED = new Set<string>(["phone", "email", "tax_id", "registration_number"]);

const known = new Map<string, Field>(companyFields.map((field) => [field.name, field]));
const grouped = new Set<string>(["name", "status", "assigned_to", ...Object.values(GROUPS).flat()]);
const labels: InLanguages<FieldLabels> = companyLabels;

/**
 * The values of a company that its page shows nowhere else, each with the link that edits it in place.
 * @param connection its warehouse, in a line of its own
 */
export function companyFacts(company: RowByName, connection: Html, custom: CustomTable, language: Language): Html {
  const words = factWords[language];
  const isShown = (name: string) => ASKED_FOR.has(name) || (company[name] ?? null) !== null;
  const isElsewhere = (name: string) => name === "callback_date" && (company[name] ?? null) !== null;
  // A field that no group knows yet belongs to the relationship.
  const others = [...known.keys()].filter((name) => !grouped.has(name));
  const groups = Object.entries({ ...GROUPS, relationship: [...GROUPS.relationship, ...others] });
  return html`<section class="section" id="facts"><header><h2>${words.title}</h2></header>
<div class="fact-groups">${groups.map(
    ([group, names]) => html`<section class="fact-group"><h3>${words.groups[group as keyof typeof GROUPS]}</h3>
<dl class="facts">${names.filter((name) => isShown(name) && !isElsewhere(name)).map((name) => factInPlace(name, company, language))}${group === "relationship" && connection}</dl></section>`,
  )}${
    custom.fields.length > 0 &&
    html`<section class="fact-group"><h3>${shellWords[language].more}</h3>
<dl class="facts">${custom.fields.map((field) =>
      factLine(
        field.name,
        inPlace(
          field.name,
          String(company.id),
          customContent(field, company[field.name] ?? null, language) ?? html`<span class="muted">—</span>`,
          language,
          field.label,
        ),
        language,
        custom,
      ),
    )}</dl></section>`
  }</div>
<details id="more-facts"><summary>${words.add}</summary><dl class="facts">${groups
    .flatMap(([, names]): readonly string[] => names)
    .filter((name) => !isShown(name))
    .map((name) => factInPlace(name, company, language))}</dl></details></section>`;
}

/** A fact's name and value, with the link that edits it. */
export function factInPlace(name: string, company: RowByName, language: Language): Html | undefined {
  const field = known.get(name);
  return field && factLine(name, fact(field, company, language), language);
}

/** A fact's name and its value. */
export function factLine(
  name: string,
  content: Html,
  language: Language,
  custom: CustomTable = NO_CUSTOM_FIELDS,
): Html {
  return html`<dt>${labels[language][name] ?? customLabels(custom)[name]}</dt>
<dd id="fact-${name}">${content}</dd>`;
}

function fact(field: Field, company: RowByName, language: Language): Html {
  const { name } = field;
  const value = shown(field, company, language);
  const edit = `/companies/${company.id}/edit?field=${name}`;
  // The fiscal id identifies the company, so a link asks for a missing one.
  if (name === "tax_id" && value === null)
    return html`<a class="ask" id="edit-${name}" href="${edit}" data-swap="fact-${name}">${factWords[language].addTaxId}</a>`;
  const copied = COPIED.has(name) && (company[name] ?? null) !== null;
  const copy = copied && copyButton(String(labels[language][name]), language);
  const isOdd = name === "tax_id" && isOddTaxId(company.tax_id ?? null, company.country ?? null);
  return inPlace(
    name,
    String(company.id),
    html`${value ?? html`<span class="muted">${empty(name, language)}</span>`}${copy}${isOdd && html`<br><small>${companyWords[language].oddTaxId}</small>`}`,
    language,
  );
}

function empty(name: string, language: Language): string {
  return name === "assigned_to" ? factWords[language].noOwner : "—";
}

/** The keys that edit a fact (assets/keys.js). */
const KEYS: Readonly<Record<string, string>> = { assigned_to: "a", status: "v" };

/** A value with the link that edits it in place. */
export function inPlace(
  name: string,
  id: string,
  value: Content,
  language: Language,
  label: string = labels[language][name] ?? "",
): Html {
  const key = KEYS[name];
  return html`${value}<a class="edit" id="edit-${name}" href="/companies/${id}/edit?field=${name}" data-swap="fact-${name}"${key !== undefined && html` aria-keyshortcuts="${key}"`}>${icon("edit")}<span class="hidden">${shellWords[language].edit} ${label}</span></a>`;
}

function shown(field: Field, company: RowByName, language: Language): Content {
  const { name } = field;
  const value = company[name] ?? null;
  if (value === null) return null;
  if (name === "website") return websiteLink(value);
  if (name === "status") return companyStatus(value, language);
  if (name === "assigned_to") return company.owner ?? `#${value}`;
  return fieldValue(field, value, language, NO_ENUMS);
}

/** The only field with a few values, the status, is shown by itself. */
const NO_ENUMS = { en: {}, ro: {} };
