import type { Field, NameOf } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { websiteLink } from "../../web/contact-links.ts";
import { copyButton } from "../../web/copy-button.ts";
import { fieldValue } from "../../web/field-value.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { InLanguages, Language } from "../../web/language.ts";
import type { FieldLabels } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import { companyLabels, factGroups } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { companyStatus } from "./company-status.ts";

type FieldName = NameOf<typeof companyFields>;

/** The facts in their groups and their order. */
const GROUPS = {
  reach: ["phone", "email", "website"],
  where: ["address", "city", "county", "postal_code", "country"],
  registered: [
    "tax_id",
    "registration_number",
    "industry",
    "activity_domain",
    "fiscal_address",
    "managing_company",
    "employee_count",
  ],
  ours: ["status", "assigned_to", "callback_date", "delivery_notes", "notes", "status_code"],
} as const satisfies Record<string, readonly FieldName[]>;

/** The facts that have a line also where there is no value yet. */
const ASKED_FOR = new Set<string>([
  "phone",
  "email",
  "city",
  "county",
  "tax_id",
  "status",
  "assigned_to",
  "callback_date",
  "notes",
]);

/** The facts with a button that copies them. */
const COPIED = new Set<string>(["phone", "email", "tax_id", "registration_number"]);

const known = new Map<string, Field>(companyFields.map((field) => [field.name, field]));
const grouped = new Set<string>(["name", ...Object.values(GROUPS).flat()]);
const labels: InLanguages<FieldLabels> = companyLabels;

/**
 * Everything that is stored of a company, each value with the link that edits it where it stands.
 * @param connection its warehouse, in a line of its own
 */
export function companyFacts(company: RowByName, connection: Html, language: Language): Html {
  const isShown = (name: string) => ASKED_FOR.has(name) || (company[name] ?? null) !== null;
  const line = (name: string) => {
    const field = known.get(name);
    return field && factLine(name, fact(field, company, language), language);
  };
  // A field that no group knows yet is one of ours.
  const others = [...known.keys()].filter((name) => !grouped.has(name));
  const groups = Object.entries({ ...GROUPS, ours: [...GROUPS.ours, ...others] });
  return html`<div id="facts">${groups.map(
    ([group, names]) => html`<section class="fact-group"><h2>${factGroups[language][group as keyof typeof GROUPS]}</h2>
<dl class="facts">${names.filter(isShown).map(line)}${group === "ours" && connection}</dl></section>`,
  )}
<details id="more-facts"><summary>${factGroups[language].add}</summary><dl class="facts">${groups
    .flatMap(([, names]): readonly string[] => names)
    .filter((name) => !isShown(name))
    .map(line)}</dl></details></div>`;
}

/** A fact's name and what stands beside it. */
export function factLine(name: string, content: Html, language: Language): Html {
  return html`<dt>${labels[language][name]}</dt>
<dd id="fact-${name}">${content}</dd>`;
}

function fact(field: Field, company: RowByName, language: Language): Html {
  const { name } = field;
  const value = shown(field, company, language);
  const edit = `/companies/${company.id}/edit?field=${name}`;
  // The fiscal id identifies the company, so a link asks for a missing one.
  if (name === "tax_id" && value === null)
    return html`<a class="ask" id="edit-${name}" href="${edit}" data-swap="fact-${name}">${factGroups[language].addTaxId}</a>`;
  const copied = COPIED.has(name) && (company[name] ?? null) !== null;
  return html`${value ?? html`<span class="muted">—</span>`}${copied && copyButton(String(labels[language][name]), language)}<a class="edit" id="edit-${name}" href="${edit}" data-swap="fact-${name}">${icon("edit")}<span class="hidden">${shellWords[language].edit} ${labels[language][name]}</span></a>`;
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
