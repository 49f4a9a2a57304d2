import { parsePage } from "../../platform/http/lists/pagination.ts";
import { html, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { moment, wholeNumber, type Language } from "../../web/language.ts";
import type { OperatorPage } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { state } from "../../web/state.ts";
import { operatorWords } from "../operator-words.ts";
import { listTenantUsage, type TenantUsage } from "../tenant-usage-queries.ts";

/** GET /operator/tenants: the tenants by slug, with the usage of each. */
export const listTenantsPage: OperatorPage = async ({ database }, { query, language }) => {
  const words = operatorWords[language];
  const { page } = parsePage(query);
  const { tenants, total, perPage } = await listTenantUsage(database, page);
  const shown = { page, perPage, offset: (page - 1) * perPage };
  const main = html`<header class="heading">
<h1>${words.tenants} <span class="count">${wholeNumber(language, total)}</span></h1>
</header>
${total === 0 ? html`<p class="empty">${words.none}</p>` : table(tenants, language)}
${pager(shown, { count: tenants.length, total }, pageHref(query), language)}`;
  return { title: words.tenants, area: "operators", main };
};

/** Whether a tenant's users and keys have access. */
export function tenantState({ suspendedAt, isBeingDeleted }: TenantUsage, language: Language): Html {
  const words = operatorWords[language];
  if (isBeingDeleted) return state("wrong", words.deleting);
  return suspendedAt === null ? state("good", words.active) : state("wrong", words.suspended);
}

function table(tenants: TenantUsage[], language: Language): Html {
  const words = operatorWords[language];
  const texts = [words.name, words.slug, words.state];
  const counts = ["companies", "users", "keys"] as const;
  return html`<table class="list"><thead><tr>${texts.map((name) => html`<th scope="col">${name}</th>`)}${counts.map(
    (name) => html`<th scope="col" class="number">${words[name]}</th>`,
  )}<th scope="col">${words.lastUsed}</th></tr></thead>
<tbody>${tenants.map(
    (tenant) => html`<tr>
<td class="name"><a href="/operator/tenants/${tenant.slug}" title="${tenant.name}">${tenant.name}</a></td>
<td class="code">${tenant.slug}</td>
<td>${tenantState(tenant, language)}</td>
${counts.map((name) => labelledCell(words[name], wholeNumber(language, tenant[name]), "number"))}
${labelledCell(words.lastUsed, tenant.lastUsedAt !== null && moment(language, tenant.lastUsedAt, "UTC"), "date")}
</tr>`,
  )}</tbody></table>`;
}
