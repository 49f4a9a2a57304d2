import type { Field, FieldTable } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { fieldValue } from "../../web/field-value.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { InLanguages, Language } from "../../web/language.ts";
import type { FieldLabels } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import { websiteLink } from "../../web/website-link.ts";
import { companyStatus } from "../company-status.ts";
import { companyLabels } from "../company-words.ts";
import { companyFields } from "../company.ts";

/** The facts that are looked for first, in their order; they have a line also where there is no value yet. */
const FIRST = [
  "phone",
  "email",
  "website",
  "address",
  "city",
  "county",
  "tax_id",
  "status",
  "assigned_to",
  "callback_date",
  "notes",
];

const first = FIRST.flatMap((name) => companyFields.find((field) => field.name === name) ?? []);
const others: FieldTable = companyFields.filter((field) => !first.includes(field));
const labels: InLanguages<FieldLabels> = companyLabels;

/** Everything that is stored of a company, each value with the link that edits it where it stands. */
export function companyFacts(company: RowByName, language: Language): Html {
  const isFilled = ({ name }: Field) => (company[name] ?? null) !== null && name !== "name";
  const lines = (fields: FieldTable) =>
    fields.map((field) => factLine(field.name, fact(field, company, language), language));
  return html`<div id="facts"><dl class="facts">${lines([...first, ...others.filter(isFilled)])}</dl>
<details id="more-facts"><summary>${shellWords[language].moreFields}</summary><dl class="facts">${lines(others.filter((field) => !isFilled(field)))}</dl></details></div>`;
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
  return html`${value ?? html`<span class="muted">—</span>`}<a class="edit" id="edit-${name}" href="${edit}" data-swap="fact-${name}">${icon("edit")}<span class="hidden">${shellWords[language].edit} ${labels[language][name]}</span></a>`;
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
