import type { Deps } from "../../../kit/deps.ts";
import { assets } from "../../../kit/web/assets.ts";
import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../../kit/web/forms/field.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { validate } from "../../../platform/fields/validation.ts";
import { trim } from "../../../platform/text.ts";
import { isNewSlug } from "../../tenants/tenant.ts";
import { createTenantWithAdmin, newTenantFields, proposedSlug } from "../create-tenant.ts";
import { operatorWords } from "../operator-words.ts";

const HOME = "/operator/tenants";
const names = newTenantFields.map(({ name }) => name);

/** GET /operator/tenants/new */
export const newTenantPage: Page = async (deps, request) => page(deps, request, 200, {}, null);

/** POST /operator/tenants: answers with the link of the first admin's invitation, which is shown this once. */
export const createTenantPage: Page = async (deps, request) => {
  const { form, language } = request;
  const words = operatorWords[language].newTenant;
  const name = trim(form.get("name") ?? "");
  const slug = trim(form.get("slug") ?? "").toLowerCase() || proposedSlug(name);
  const typed = { ...form.values(names), slug };
  const { values, errors } = validate(newTenantFields, { ...form.input(names), slug }, "create");
  const messages = errors === null ? {} : messagesIn(language, errors, words.labels);
  if (name !== "" && !isNewSlug(slug)) messages.slug ??= [slug === "" ? words.slugMissing : words.slugWrong];
  if (errors !== null || Object.keys(messages).length > 0) return page(deps, request, 422, typed, messages);
  const email = String(values.email);
  const country = values.country === null ? null : String(values.country);
  const tenant = { slug, name, country, email, by: "operator" } as const;
  const created = await createTenantWithAdmin(deps, tenant, request.session.user.name);
  if (created === null) return page(deps, request, 422, typed, { slug: [words.slugTaken(slug)] });
  return adminLinkPage(deps, request, { name, slug, email, token: created.token });
};

function page(
  { config }: Pick<Deps, "config">,
  { language }: PageRequest,
  status: number,
  values: FieldValues,
  errors: FieldMessages | null,
): Shown {
  const words = operatorWords[language].newTenant;
  const { labels, slugHint, emailHint, emailHintMailed, countryHint } = words;
  const hints = { slug: slugHint, email: config.mail === null ? emailHint : emailHintMailed, country: countryHint };
  const main = html`<a class="back" href="${HOME}">${icon("back")}${operatorWords[language].tenants}</a>
<header class="heading"><h1>${words.title}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="${HOME}" data-slug novalidate>${onceField()}
${newTenantFields.map((field) => fieldRow(field, { values, labels, errors, language, hints }))}
${formActions(words.submit, HOME, language)}
</form><script type="module" src="${assets.pathOf("slug.js")}"></script>`;
  return { status, title: words.title, area: "operators", main };
}

/** The link of the first admin. It is in no address and no cookie, and browsers keep no copy. */
export function adminLinkPage(
  { config }: Pick<Deps, "config">,
  { origin, language }: PageRequest,
  { name, slug, email, token }: { name: string; slug: string; email: string; token: string },
): Shown {
  const words = operatorWords[language].newTenant;
  const main = html`<header class="heading"><h1>${words.made(name)}</h1></header>
<p>${config.mail === null ? html`<strong>${words.linkFor(email)}</strong> ${words.once}` : html`<strong>${words.mailed(email)}</strong>`}</p>
${copiedOnce("link", `${origin}/invitations/${token}`, words.link, language)}
<p>${words.valid}</p>
<p><a class="button main" href="${HOME}/${slug}">${config.mail === null ? words.done : words.next}</a></p>`;
  return { title: words.made(name), area: "operators", main };
}
