import type { Deps } from "../../deps.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { isId } from "../../platform/ids.ts";
import type { Form } from "../../web/forms/form.ts";
import { pageErrors } from "../../web/forms/page-errors.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { namesOfCompanies } from "../company-queries.ts";
import { updateCompany } from "../write-company.ts";
import { listWords } from "./company-list-words.ts";

/** As many as a page of the list can have. */
const MOST = 200;

/** POST /companies/bulk: gives the companies that are ticked (`id`) a status, an owner, or both. */
export const changeCompaniesPage: Page = async (deps, request) => {
  const { actor, form } = request;
  const to = ownPath(form.get("to")) ?? "/companies";
  const ids = chosenIds(form);
  const input = inputOf(form);
  if (ids.length === 0 || Object.keys(input).length === 0) return { to, notice: notice("companies-none-chosen") };
  // All change the same fields, so that those that come together are one statement.
  const written = await Promise.all(ids.map(async (id) => await updateCompany(deps, actor, id, input)));
  const refused = ids.filter((_id, index) => written[index]?.outcome !== "written");
  const changed = ids.length - refused.length;
  if (refused.length === 0) return { to, notice: notice("companies-changed", { count: String(changed) }) };
  const isInvalid = written.some(({ outcome }) => outcome === "invalid");
  return await refusal(deps, request, { ids: refused, changed, isInvalid, to });
};

/** The companies that are ticked in a list. Throws where they are more than a list has. */
export function chosenIds(form: Form): string[] {
  const ids = [...new Set(form.all("id").filter(isId))];
  if (ids.length > MOST) throw pageErrors.tooManyValues();
  return ids;
}

function inputOf(form: Form): Input {
  const status = form.get("status") ?? "";
  const owner = form.get("assigned_to") ?? "";
  return {
    ...(status === "" ? {} : { status }),
    ...(owner === "" ? {} : { assigned_to: owner === "nobody" ? null : owner }),
  };
}

type RefusedSelection = { ids: string[]; changed: number; isInvalid: boolean; to: string };

async function refusal(
  { database }: Deps,
  { actor, language }: PageRequest,
  { ids, changed, isInvalid, to }: RefusedSelection,
): Promise<Shown> {
  const words = listWords[language];
  const names = isInvalid ? [] : await namesOfCompanies(actor.tenant, database, ids);
  const main = html`<section class="message" role="alert"><h1>${words.refusedTitle}</h1>
${changed > 0 && html`<p>${words.changed(changed)}</p>`}
${isInvalid && html`<p>${words.ownerInactive}</p>`}
${names.length > 0 && html`<p>${words.refused(names.length)}</p><ul>${names.map(({ name }) => html`<li>${name}: ${words.isGone}</li>`)}</ul>`}
<p><a class="button main" href="${to}">${words.back}</a></p></section>`;
  return { status: isInvalid ? 422 : 409, title: words.refusedTitle, area: "companies", main };
}
