import { contactsToChoose } from "../../customers/activities/activity-queries.ts";
import { composer, type RefusedActivity } from "../../customers/activities/pages/composer.ts";
import { callsOfCompany } from "../../customers/calls/planned-call-queries.ts";
import { companyLabels } from "../../customers/companies/company-words.ts";
import { companyOf, isConnected } from "../../customers/companies/pages/company-of.ts";
import { companyFacts, factInPlace } from "../../customers/companies/pages/facts.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import { emailLink, phoneLink } from "../../kit/web/contact-links.ts";
import { copyButton } from "../../kit/web/copy-button.ts";
import { recordBar } from "../../kit/web/frame/record-bar.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import type { Language } from "../../kit/web/language.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { connectionName, refusedKey } from "../../orders/wms/pages/connection-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import { callList } from "../calls/call-list.ts";
import { mergesHint } from "../merging/merges-hint.ts";
import { figures } from "./figures.ts";
import { lookUpWords } from "./look-up-words.ts";
import { pageWords } from "./page-words.ts";
import { part, readSections } from "./section.ts";
import { firstSections, lastSections } from "./sections.ts";
import { timeline } from "./timeline.ts";

/** GET /companies/{id}: the company and everything about it. @param refused the input that was not valid */
export function companyPage(refused: RefusedActivity | null): Page {
  return async (deps, request) => await shown(deps, request, refused);
}

async function shown(deps: Deps, request: PageRequest, refused: RefusedActivity | null): Promise<Shown> {
  const { language } = request;
  const company = await companyOf(deps, request);
  const id = String(company.id);
  const custom = await customTable(request.actor.tenant, deps.database, "company");
  const [numbers, merges, log, calls, happened, first, last] = await Promise.all([
    part("figures", deps, language, async () => await figures(deps, request, company)),
    mergesHint(deps, request, "company", id),
    part("log", deps, language, async () => await logForm(deps, request, id, refused)),
    part("calls", deps, language, async () => {
      const coming = await callsOfCompany(request.actor.tenant, deps.database, id);
      return callList(coming, `/companies/${id}/calls/new`, request);
    }),
    part("happened", deps, language, async () => await timeline(deps, request, id)),
    readSections(firstSections, deps, request, company),
    readSections(lastSections, deps, request, company),
  ]);
  // The form that writes comes first: for the keyboard, and on a phone.
  const main = html`<a class="back" href="/companies">${icon("back")}${pageWords[language].back}</a>
${heading(company, language, deps.config.companyLookupUrl !== null)}
${numbers}
${merges}
<div class="company-page">
<div class="beside">${log}${calls}${happened}</div>
<div>${first}<label class="button folding"><input type="checkbox">${shellWords[language].details}</label>${companyFacts(company, connection(company, request), custom, language)}${last}</div>
</div>`;
  return { title: company.name ?? "", area: "companies", main, look: "record" };
}

/** The form for an activity; `with` names the chosen contact. */
async function logForm(
  { database }: Deps,
  { actor, query, language, session }: PageRequest,
  id: string,
  refused: RefusedActivity | null,
): Promise<Html> {
  const asked = query.get("with") ?? "";
  const chosen = refused?.values.contact_id ?? asked;
  const contacts = await contactsToChoose(actor.tenant, database, id, isId(chosen) ? chosen : null);
  const swaps = "log calls happened figures facts notice";
  const { timeZone } = session.workspace;
  const action = `/companies/${id}/activities`;
  const form = composer({ action, contacts, chosen: asked, refused, swaps, timeZone, language });
  return html`<section class="section log" id="log" tabindex="-1" aria-label="${pageWords[language].sections.log}">${form}</section>`;
}

function connection(company: RowByName, { language, session }: PageRequest): Html {
  const words = pageWords[language];
  const refusedAt = company.wms_key_refused_at ?? null;
  const how = refusedAt === null ? words.connected : refusedKey(refusedAt, language, session.workspace.timeZone);
  const [state, act] = isConnected(company)
    ? [
        html`${connectionName(company.warehouse ?? "", company.uses_workspaces === "true", language)} · ${how}`,
        words.change,
      ]
    : company.wms_never === "true"
      ? [html`<span class="muted">${words.neverSent}</span>`, words.change]
      : [html`<span class="muted">${words.notConnected}</span>`, words.connect];
  return html`<dt>${words.warehouse}</dt><dd>${state} <a class="inline" href="/companies/${company.id}/warehouse">${act}</a></dd>`;
}

function heading(company: RowByName, language: Language, hasRegister: boolean): Html {
  const { id, name, phone, email } = company;
  const words = pageWords[language];
  const menu = html`<a class="button" href="/companies/${id}/warehouse">${words.toWarehouse}</a>
<a class="button" href="/companies/export?id=${id}" download>${words.exportIt}</a>
${hasRegister && html`<a class="button" href="/companies/${id}/look-up">${lookUpWords[language].fillIn}</a>`}
<a class="button" href="/companies/${id}/merge">${words.mergeIt}</a>
<a class="button danger" href="/companies/${id}/delete">${words.deleteIt}</a>`;
  return html`<div id="heading"><header class="heading">
<h1>${name}</h1>
<dl class="glance">${["status", "assigned_to"].map((field) => html`<div>${factInPlace(field, company, language)}</div>`)}</dl>
${recordBar({ phone, email, log: "#note", edit: `/companies/${id}/edit`, menu }, language)}
</header>
${reach(company, language)}</div>`;
}

/** How a company is identified and reached; nothing if that is not known. */
function reach({ tax_id: taxId, city, phone, email }: RowByName, language: Language): Html | null {
  const labels = companyLabels[language];
  const entry = (label: string, value: Content, isCopied: boolean) =>
    html`<div><dt class="hidden">${label}</dt><dd>${value}${isCopied && copyButton(label, language)}</dd></div>`;
  const known = [
    (taxId ?? null) !== null && entry(labels.tax_id, taxId, true),
    (city ?? null) !== null && entry(labels.city, city, false),
    (phone ?? null) !== null && entry(labels.phone, phoneLink(phone ?? null), true),
    (email ?? null) !== null && entry(labels.email, emailLink(email ?? null), true),
  ].filter((each) => each !== false);
  return known.length === 0 ? null : html`<dl class="glance">${known}</dl>`;
}
