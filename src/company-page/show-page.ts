import type { RefusedActivity } from "../activities/pages/composer.ts";
import { companyOf, isConnected } from "../companies/pages/company-of.ts";
import { companyStatus } from "../companies/pages/company-status.ts";
import { companyFacts } from "../companies/pages/facts.ts";
import type { Deps } from "../deps.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import type { Language } from "../web/language.ts";
import type { Page, PageRequest, Shown } from "../web/page.ts";
import { shellWords } from "../web/shell-words.ts";
import { refusedKey } from "../wms/pages/connection-state.ts";
import { pageWords } from "./page-words.ts";
import { part, readSections } from "./section.ts";
import { companySections } from "./sections.ts";
import { timeline } from "./timeline.ts";

/** GET /companies/{id}: the company and everything about it. @param refused what was typed about it, where that was wrong */
export function companyPage(refused: RefusedActivity | null): Page {
  return async (deps, request) => await shown(deps, request, refused);
}

async function shown(deps: Deps, request: PageRequest, refused: RefusedActivity | null): Promise<Shown> {
  const { language } = request;
  const company = await companyOf(deps, request);
  const [happened, sections] = await Promise.all([
    part("happened", deps, language, async () => await timeline(deps, request, String(company.id), refused)),
    readSections(companySections, deps, request, company),
  ]);
  const main = html`<a class="back" href="/companies">${icon("back")}${pageWords[language].back}</a>
${heading(company, language)}
<div class="record-page">
<div>${happened}${sections}</div>
${companyFacts(company, connection(company, request), language)}
</div>`;
  return { title: company.name ?? "", area: "companies", main };
}

function connection(company: RowByName, { language, session }: PageRequest): Html {
  const words = pageWords[language];
  const refusedAt = company.wms_key_refused_at ?? null;
  const how = refusedAt === null ? words.connected : refusedKey(refusedAt, language, session.workspace.timeZone);
  const [state, act] = isConnected(company)
    ? [html`${company.wms_subdomain} · ${how}`, words.change]
    : [html`<span class="muted">${words.notConnected}</span>`, words.connect];
  return html`<dt>${words.warehouse}</dt><dd>${state} <a class="inline" href="/companies/${company.id}/warehouse">${act}</a></dd>`;
}

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
