import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { asking, askingAct, dangers } from "../../../kit/web/asking.ts";
import { errorSummary, fieldRow } from "../../../kit/web/forms/field.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { validate } from "../../../platform/fields/validation.ts";
import { asTenantId } from "../../../platform/postgres/tenant-id.ts";
import { setSuspended } from "../../tenants/tenant-queries.ts";
import { isSlug } from "../../tenants/tenant.ts";
import { adminFields, inviteFirstAdmin } from "../create-tenant.ts";
import { findFirstInvited } from "../new-tenant-queries.ts";
import { operatorWords } from "../operator-words.ts";
import { findTenantUsage, type TenantUsage } from "../tenant-usage-queries.ts";
import { tenantState } from "./list-tenants-page.ts";
import { adminLinkPage } from "./new-tenant-page.ts";

/** GET /operator/tenants/{slug} */
export const tenantPage: Page = async (deps, request) =>
  await page(deps, request, await tenantOf(deps, request), 200, null);

/** POST /operator/tenants/{slug}/admin: a new invitation for the first admin, whose earlier ones end. */
export const inviteAdminPage: Page = async (deps, request) => {
  const { form, session, language } = request;
  const tenant = await tenantOf(deps, request);
  const { values, errors } = validate(adminFields, form.input(["email"]), "create");
  if (errors !== null) {
    const messages = messagesIn(language, errors, operatorWords[language].newTenant.labels);
    return await page(deps, request, tenant, 422, messages);
  }
  const email = String(values.email);
  const token = await inviteFirstAdmin(deps, asTenantId(tenant.id), email, session.user.name);
  if (token === null) return { to: `/operator/tenants/${tenant.slug}` };
  return adminLinkPage(deps, request, { ...tenant, email, token });
};

async function page(
  { database }: Deps,
  { form, language }: PageRequest,
  tenant: TenantUsage,
  status: number,
  errors: FieldMessages | null,
): Promise<Shown> {
  const words = operatorWords[language];
  const isOpen = tenant.users === 0 && tenant.suspendedAt === null;
  const invited = isOpen ? await findFirstInvited(asTenantId(tenant.id), database) : null;
  const fields = { values: { email: form.get("email") ?? invited }, labels: words.newTenant.labels, errors, language };
  const { name, slug, country, createdAt, suspendedAt, lastUsedAt } = tenant;
  const main = html`<a class="back" href="/operator/tenants">${icon("back")}${words.tenants}</a>
<header class="heading"><h1>${name}</h1>${tenantState(tenant, language)}</header>
${errorSummary(errors, language)}
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
${
  invited !== null &&
  html`<form class="record section" method="post" action="/operator/tenants/${slug}/admin" novalidate>${onceField()}
<p>${words.invitedText}</p>
${adminFields.map((field) => fieldRow(field, fields))}
<p class="actions"><button class="main">${words.inviteAgain}</button></p></form>`
}
${action(tenant, language)}`;
  return { status, title: name, area: "operators", main };
}

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
