import { parsePage } from "../../platform/http/lists/pagination.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { moment, momentAgo, wholeNumber, type Language } from "../../web/language.ts";
import type { OperatorPage } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { state } from "../../web/state.ts";
import { readInstallation, type InstallationState } from "../installation-notes.ts";
import { MOST_JOBS } from "../installation-queries.ts";
import { operatorWords } from "../operator-words.ts";
import { listTenantUsage, MOST_ORDERS, type TenantUsage } from "../tenant-usage-queries.ts";

/** GET /operator/tenants: the tenants by slug, with the usage of each. */
export const listTenantsPage: OperatorPage = async ({ database }, { query, language }) => {
  const words = operatorWords[language];
  const { page } = parsePage(query);
  const { tenants, total, perPage } = await listTenantUsage(database, page);
  const shown = { page, perPage, offset: (page - 1) * perPage };
  const main = html`<header class="heading">
<h1>${words.tenants} <span class="count">${wholeNumber(language, total)}</span></h1>
<a class="button main" href="/operator/tenants/new" aria-keyshortcuts="n">${icon("add")}${words.newTenant.title}</a>
</header>
${installationLine(await readInstallation(database), language)}
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

const counts = ["users", "companies", "waiting", "failed"] as const;

function table(tenants: TenantUsage[], language: Language): Html {
  const words = operatorWords[language];
  const counted = ({ users, companies, orders }: TenantUsage, name: (typeof counts)[number]) => {
    const number = { users, companies, ...orders }[name];
    const text = `${wholeNumber(language, number)}${name in orders && number === MOST_ORDERS ? "+" : ""}`;
    return name === "failed" && number > 0 ? state("wrong", text) : text;
  };
  const texts = [words.name, words.slug, words.state];
  return html`<table class="list"><thead><tr>${texts.map((name) => html`<th scope="col">${name}</th>`)}${counts.map(
    (name) => html`<th scope="col" class="number">${words[name]}</th>`,
  )}<th scope="col">${words.oldestWait}</th><th scope="col">${words.lastUsed}</th></tr></thead>
<tbody>${tenants.map(
    (tenant) => html`<tr>
<td class="name"><a href="/operator/tenants/${tenant.slug}" title="${tenant.name}">${tenant.name}</a></td>
<td class="code">${tenant.slug}</td>
<td>${tenantState(tenant, language)}</td>
${counts.map((name) => labelledCell(words[name], counted(tenant, name), "number"))}
${labelledCell(words.oldestWait, tenant.orders.oldestWaitAt !== null && momentAgo(language, tenant.orders.oldestWaitAt, "UTC", true), "date")}
${labelledCell(words.lastUsed, tenant.lastUsedAt !== null && moment(language, tenant.lastUsedAt, "UTC"), "date")}
</tr>`,
  )}</tbody></table>`;
}

/** One line about the installation: its last backup, the doctor's last findings, and the queue. */
function installationLine({ backup, doctor, waiting, failed }: InstallationState, language: Language): Html {
  const words = operatorWords[language];
  const ago = ({ at }: { at: string }) => momentAgo(language, at, "UTC", true);
  const number = (count: number) => `${wholeNumber(language, count)}${count === MOST_JOBS ? "+" : ""}`;
  const findings = doctor?.findings ?? 0;
  const parts = [
    backup === null ? state("attention", words.noBackup) : html`${words.lastBackup} ${ago(backup)}`,
    doctor === null
      ? state("attention", words.noDoctor)
      : html`${findings > 0 ? state("wrong", words.findings(findings)) : words.noFindings} ${ago(doctor)}`,
    html`${words.jobsWaiting(number(waiting))}`,
    html`${failed > 0 ? state("wrong", words.jobsFailed(number(failed))) : words.jobsFailed(number(failed))}`,
  ];
  return html`<ul class="installation" aria-label="${words.installation}">${parts.map((part) => html`<li>${part}</li>`)}</ul>`;
}
