import { companyStatus } from "../companies/company-status.ts";
import { companyOf } from "../companies/pages/company-of.ts";
import { companyFacts } from "../companies/pages/facts.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import type { Language } from "../web/language.ts";
import type { Page } from "../web/page.ts";
import { shellWords } from "../web/shell-words.ts";
import { pageWords } from "./page-words.ts";
import { readSections } from "./section.ts";
import { companySections } from "./sections.ts";

/** GET /companies/{id}: the company and everything about it. */
export const showCompanyPage: Page = async (deps, request) => {
  const { language } = request;
  const company = await companyOf(deps, request);
  const sections = await readSections(companySections, deps, request, company);
  const main = html`<a class="back" href="/companies">${icon("back")}${pageWords[language].back}</a>
${heading(company, language)}
<div class="record-page">
<div>${sections}</div>
${companyFacts(company, language)}
</div>`;
  return { title: company.name ?? "", area: "companies", main };
};

function heading({ id, name, status, tax_id, owner }: RowByName, language: Language): Html {
  const words = pageWords[language];
  return html`<header class="heading" id="heading">
<h1>${name}</h1>
${companyStatus(status ?? "", language)}
${tax_id !== null && html`<span class="code">${tax_id}</span>`}
${owner !== null && html`<span class="by">${icon("person")}${owner}</span>`}
<a class="button" href="/companies/${id}/edit" aria-keyshortcuts="e">${shellWords[language].edit}</a>
<details class="menu"><summary class="button">${icon("more")}<span class="hidden">${shellWords[language].more}</span></summary>
<div><a class="button" href="/companies/${id}/warehouse">${words.toWarehouse}</a>
<a class="button" href="/companies/export?id=${id}" download>${words.exportIt}</a>
<a class="button danger" href="/companies/${id}/delete">${words.deleteIt}</a></div></details>
</header>`;
}
