import { companyLabels, companyStatuses } from "../../customers/companies/company-words.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { mergeCompanies } from "../../exchange/merging/merge-companies.ts";
import type { ValueChoice } from "../../exchange/merging/merged-values.ts";
import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day, listOf } from "../../kit/web/language.ts";
import { marked } from "../../kit/web/mark.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import { findCompanies } from "../find/find-queries.ts";
import { countMoving, fieldsNewerIn } from "./merge-page-queries.ts";
import { countsIn, mergeWords } from "./merge-words.ts";

/** Companies in the list of a search. */
const MOST = 10;
/** The name of a field's choice in the form. */
const CHOICE = "choice-";

/** GET /companies/{id}/merge: choose the other company, then see both side by side. */
export const askToMergePage: Page = async (deps, request) => {
  const kept = await companyOf(deps, request);
  const other = request.query.get("with") ?? "";
  if (!isId(other) || other === kept.id) return await pickPage(deps, request, kept);
  return await bothPage(deps, request, kept, { other, status: 200, problem: null });
};

/** POST /companies/{id}/merge */
export const mergeCompaniesPage: Page = async (deps, request) => {
  const { actor, form, query, language } = request;
  const kept = await companyOf(deps, request);
  const other = query.get("with") ?? "";
  const from = await companyOf(deps, { actor, params: { id: other } });
  const choices = Object.fromEntries(
    companyFields.flatMap(({ name }): [string, ValueChoice][] => {
      const choice = form.get(`${CHOICE}${name}`);
      return choice === "keep" || choice === "from" ? [[name, choice]] : [];
    }),
  );
  const id = String(kept.id);
  const merged = await mergeCompanies(deps, actor, { kept: id, from: other, choices, isDry: false, expected: null });
  if (merged.outcome === "merged") {
    const numbers = Object.entries(merged.moved).map(([kind, count]) => [kind, String(count)]);
    const values = { ...Object.fromEntries(numbers), id: merged.mergeId, from: from.name ?? "" };
    return { to: `/companies/${id}`, notice: notice("company-merged", values) };
  }
  if (merged.outcome === "missing") throw errors.resourceMissing("Company", id);
  const words = mergeWords[language];
  const problem = merged.outcome === "under-way" ? words.underWay(merged.count) : words.refused;
  return await bothPage(deps, request, kept, { other, status: 422, problem });
};

async function pickPage({ database }: Deps, request: PageRequest, kept: RowByName): Promise<Shown> {
  const { actor, query, language } = request;
  const words = mergeWords[language];
  const search = query.get("search") ?? "";
  const found = isSearchable(search) ? await findCompanies(actor.tenant, database, search, MOST + 1) : [];
  const others = found.filter(({ id }) => id !== kept.id).slice(0, MOST);
  const title = words.pickTitle(kept.name ?? "");
  const path = `/companies/${kept.id}/merge`;
  const terms = search.split(/\s+/, 5).filter(Boolean);
  const main = html`<a class="back" href="/companies/${kept.id}">${icon("back")}${kept.name}</a>
<header class="heading"><h1>${title}</h1></header>
<form class="search" role="search" action="${path}" data-live="companies" data-opens>
<label class="hidden" for="search">${words.pick}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${words.pickHint}" autocomplete="off" maxlength="255" autofocus>
<button class="hidden">${words.find}</button>
</form>
<div class="found" id="companies">${
    others.length > 0
      ? html`<ul aria-label="${words.found}">${others.map(
          ({ id, name, beside, more }) =>
            html`<li><a href="${path}?with=${id}"><span>${marked(name, terms)}</span> <small>${[more, beside].filter((each) => each !== null).join(" · ")}</small></a></li>`,
        )}</ul>`
      : html`<p class="empty">${words.none(search)}</p>`
  }</div>`;
  return { title, area: "companies", main };
}

type Both = { other: string; status: number; problem: string | null };

async function bothPage(
  deps: Deps,
  request: PageRequest,
  kept: RowByName,
  { other, status, problem }: Both,
): Promise<Shown> {
  const { actor, language } = request;
  const { database } = deps;
  const from = await companyOf(deps, { actor, params: { id: other } });
  const [moving, newer] = await Promise.all([
    countMoving(actor.tenant, database, other),
    fieldsNewerIn(actor.tenant, database, other, String(kept.id)),
  ]);
  const words = mergeWords[language];
  const labels = companyLabels[language];
  const has = (company: RowByName, name: string) => (company[name] ?? null) !== null;
  const names = companyFields.map(({ name }) => name).filter((name) => name !== "notes");
  const differing = names.filter((name) => has(kept, name) && has(from, name) && kept[name] !== from[name]);
  const filled = names.filter((name) => !has(kept, name) && has(from, name)).map((name) => labels[name]);
  const what = countsIn(moving, language);
  const title = words.title(from.name ?? "", kept.name ?? "");
  const isNewer = new Set(newer);
  const main = html`<a class="back" href="/companies/${kept.id}">${icon("back")}${kept.name}</a>
<header class="heading"><h1>${title}</h1>
<a class="button" href="/companies/${other}/merge?with=${kept.id}">${words.swap(from.name ?? "")}</a></header>
${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
<p>${what === "" ? words.movesNothing : words.moves(what)} ${moving.orders > 0 && words.orders(moving.orders)}</p>
${filled.length > 0 && html`<p>${words.filled(listOf(language, filled, filled.length))}</p>`}
${has(kept, "notes") && has(from, "notes") && html`<p>${words.notes}</p>`}
<form method="post" action="/companies/${kept.id}/merge?with=${other}">
${differing.length > 0 && html`<h2>${words.differ}</h2>${differing.map((name) => choice(name, kept, from, isNewer.has(name), request))}`}
<p class="hint">${words.undoable}</p>
<p class="actions"><button class="main">${words.submit}</button><a class="button" href="/companies/${kept.id}">${shellWords[language].cancel}</a></p></form>`;
  return { status, title, area: "companies", main };
}

/** The two values of a field. The newer one is proposed. */
function choice(
  name: (typeof companyFields)[number]["name"],
  kept: RowByName,
  from: RowByName,
  isOthersNewer: boolean,
  { language }: PageRequest,
): Html {
  const option = (value: ValueChoice, company: RowByName, isProposed: boolean) =>
    html`<label class="choice"><input type="radio" name="${CHOICE}${name}" value="${value}"${isProposed && html` checked`}> ${shown(name, company, language)} <small class="muted">${company.name}${isProposed && html` · ${mergeWords[language].newer}`}</small></label>`;
  return html`<fieldset><legend>${companyLabels[language][name]}</legend>
${option("keep", kept, !isOthersNewer)}
${option("from", from, isOthersNewer)}</fieldset>`;
}

function shown(name: string, company: RowByName, language: PageRequest["language"]): Content {
  const value = company[name] ?? "";
  if (name === "status") return companyStatuses[language][value] ?? value;
  if (name === "assigned_to") return company.owner ?? `#${value}`;
  return name === "callback_date" ? day(language, value) : value;
}
