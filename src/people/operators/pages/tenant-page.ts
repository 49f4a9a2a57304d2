import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { asking, askingAct, dangers } from "../../../kit/web/asking.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { setSuspended } from "../../tenants/tenant-queries.ts";
import { isSlug } from "../../tenants/tenant.ts";
import { operatorWords } from "../operator-words.ts";
import { findTenantUsage, type TenantUsage } from "../tenant-usage-queries.ts";
import { tenantState } from "./list-tenants-page.ts";

/** GET /operator/tenants/{slug} */
export const tenantPage: Page = async (deps, request) => {
  const { language } = request;
  const words = operatorWords[language];
  const tenant = await tenantOf(deps, request);
  const { name, slug, country, createdAt, suspendedAt, lastUsedAt } = tenant;
  const main = html`<a class="back" href="/operator/tenants">${icon("back")}${words.tenants}</a>
<header class="heading"><h1>${name}</h1>${tenantState(tenant, language)}</header>
<dl class="facts">
<dt>${words.slug}</dt><dd class="code">${slug}</dd>
<dt>${words.country}</dt><dd>${country}</dd>
<dt>${words.since}</dt><dd>${dayOf(language, createdAt, "UTC")}</dd>
${suspendedAt !== null && html`<dt>${words.suspendedSince}</dt><dd>${moment(language, suspendedAt, "UTC")} UTC</dd>`}
<dt>${words.companies}</dt><dd>${wholeNumber(language, tenant.companies)}</dd>
<dt>${words.users}</dt><dd>${wholeNumber(language, tenant.users)}</dd>
<dt>${words.waiting}</dt><dd>${wholeNumber(language, tenant.orders.waiting)}</dd>
<dt>${words.failed}</dt><dd>${wholeNumber(language, tenant.orders.failed)}</dd>
<dt>${words.keys}</dt><dd>${wholeNumber(language, tenant.keys)}</dd>
<dt>${words.lastUsed}</dt><dd>${lastUsedAt === null ? words.never : moment(language, lastUsedAt, "UTC")}</dd>
</dl>
${action(tenant, language)}`;
  return { title: name, area: "operators", main };
};

/** GET /operator/tenants/{slug}/suspend: asks for confirmation, with the number of users and keys. */
export const askToSuspendPage: Page = async (deps, request) => {
  const { language } = request;
  const words = operatorWords[language];
  const { slug, name, suspendedAt, users, keys } = await tenantOf(deps, request);
  const back = `/operator/tenants/${slug}`;
  if (suspendedAt !== null) return { to: back };
  return asking(language, {
    title: words.suspendTitle(name),
    area: "operators",
    consequences: [words.suspendText(wholeNumber(language, users), wholeNumber(language, keys))],
    action: `${back}/suspend`,
    submit: words.suspend,
    back,
  });
};

/** POST /operator/tenants/{slug}/suspend: ends every session of the tenant and rejects its keys. */
export const suspendTenantPage: Page = async (deps, request) => await switched(deps, request, true);

/** POST /operator/tenants/{slug}/resume */
export const resumeTenantPage: Page = async (deps, request) => await switched(deps, request, false);

async function switched({ database }: Deps, { params }: PageRequest, isSuspended: boolean) {
  const slug = params.slug ?? "";
  const tenant = isSlug(slug) ? await setSuspended(database, slug, isSuspended) : null;
  if (tenant === null) throw errors.resourceMissing("Tenant", slug);
  return {
    to: `/operator/tenants/${slug}`,
    notice: notice(isSuspended ? "tenant-suspended" : "tenant-resumed"),
  };
}

/** The tenant that the path names. Throws resourceMissing. */
async function tenantOf({ database }: Deps, { params }: PageRequest): Promise<TenantUsage> {
  const slug = params.slug ?? "";
  const tenant = isSlug(slug) ? await findTenantUsage(database, slug) : null;
  if (tenant === null) throw errors.resourceMissing("Tenant", slug);
  return tenant;
}

function action({ slug, suspendedAt, isBeingDeleted, users, keys }: TenantUsage, language: Language): Html {
  const words = operatorWords[language];
  if (isBeingDeleted) return html`<p class="section">${words.deletingText}</p>`;
  if (suspendedAt !== null) {
    return html`<form class="section" method="post" action="/operator/tenants/${slug}/resume"><p>${words.resumeText}</p><p><button class="main">${words.resume}</button></p></form>`;
  }
  const text = words.suspendText(wholeNumber(language, users), wholeNumber(language, keys));
  return html`${dangers(language, [askingAct(`/operator/tenants/${slug}/suspend`, words.suspend, text)])}`;
}
