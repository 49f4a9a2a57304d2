import type { RowColumn } from "../../../kit/tables/rows.ts";
import { shortList } from "../../../kit/tables/short-list.ts";
import { copyButton } from "../../../kit/web/copy-button.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { moment, momentAgo, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Page } from "../../../kit/web/page.ts";
import { state } from "../../../kit/web/state.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import { readInstallation, type InstallationState } from "../installation-notes.ts";
import { MOST_JOBS } from "../installation-queries.ts";
import { operatorWords } from "../operator-words.ts";
import { listTenantUsage, MOST_ORDERS, type TenantUsage } from "../tenant-usage-queries.ts";

/** GET /operator/tenants: the tenants by slug, with the usage of each. */
export const listTenantsPage: Page = async (deps, request) => {
  const { database } = deps;
  const { query, language } = request;
  const words = operatorWords[language];
  const { page } = parsePage(query);
  const { tenants, total, perPage } = await listTenantUsage(database, page);
  return shortList<TenantUsage>(request, {
    area: "operators",
    title: words.tenants,
    add: { href: "/operator/tenants/new", label: words.newTenant.title },
    about: installationLine(await readInstallation(deps), language),
    rows: tenants,
    paged: { total, page: { page, perPage, offset: (page - 1) * perPage } },
    columns: [
      ["name", words.name, ({ name }) => name, { href: ({ slug }) => `/operator/tenants/${slug}` }],
      ["code", words.slug, ({ slug }) => slug],
      ["text", words.state, (tenant) => tenantState(tenant, language)],
      ...counts.map((name) => countColumn(name, language)),
      [
        "date",
        words.oldestWait,
        ({ orders: { oldestWaitAt: at } }) => at !== null && momentAgo(language, at, "UTC", true),
        { sort: ["oldest_wait", ({ orders }) => orders.oldestWaitAt] },
      ],
      [
        "date",
        words.lastUsed,
        ({ lastUsedAt: at }) => at !== null && moment(language, at, "UTC"),
        { sort: ["last_used", ({ lastUsedAt }) => lastUsedAt] },
      ],
    ],
    empty: html`<p class="empty">${words.none}</p>`,
  });
};

/** Whether a tenant's users and keys have access. */
export function tenantState({ suspendedAt, isBeingDeleted }: TenantUsage, language: Language): Html {
  const words = operatorWords[language];
  if (isBeingDeleted) return state("wrong", words.deleting);
  return suspendedAt === null ? state("good", words.active) : state("wrong", words.suspended);
}

const counts = ["users", "companies", "waiting", "failed"] as const;

function countColumn(name: (typeof counts)[number], language: Language): RowColumn<TenantUsage> {
  const of = ({ users, companies, orders }: TenantUsage) => ({ users, companies, ...orders })[name];
  const shown = (tenant: TenantUsage) => {
    const text = `${wholeNumber(language, of(tenant))}${name in tenant.orders && of(tenant) === MOST_ORDERS ? "+" : ""}`;
    return name === "failed" && of(tenant) > 0 ? state("wrong", text) : text;
  };
  return ["number", operatorWords[language][name], shown, { sort: [name, of] }];
}

/** One line about the installation: its last backup, the doctor's last findings, and the queue. */
function installationLine(
  { backup, isBackupLate, doctor, waiting, failed }: InstallationState,
  language: Language,
): Html {
  const words = operatorWords[language];
  const ago = ({ at }: { at: string }) => momentAgo(language, at, "UTC", true);
  const number = (count: number) => `${wholeNumber(language, count)}${count === MOST_JOBS ? "+" : ""}`;
  const findings = doctor?.findings ?? 0;
  const parts = [
    backup === null
      ? html`${state("attention", words.noBackup)} <code>liaison backup liaison.backup</code>${copyButton("liaison backup", language)}`
      : html`${isBackupLate ? state("wrong", words.lastBackup) : words.lastBackup} ${ago(backup)}`,
    doctor === null
      ? state("attention", words.noDoctor)
      : html`${findings > 0 ? state("wrong", words.findings(findings)) : words.noFindings} ${ago(doctor)}`,
    html`${words.jobsWaiting(number(waiting))}`,
    html`${failed > 0 ? state("wrong", words.jobsFailed(number(failed))) : words.jobsFailed(number(failed))}`,
  ];
  return html`<ul class="installation" aria-label="${words.installation}">${parts.map((part) => html`<li>${part}</li>`)}</ul>`;
}
