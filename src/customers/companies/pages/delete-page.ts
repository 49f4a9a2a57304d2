import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { counted, type Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { BLOCKING_TABLES, deleteCompany } from "../company-queries.ts";
import { countBelongings, restoreCompany, type Belongings } from "../company-restore-queries.ts";
import { companyNoun, restoredOrMerged } from "../found-or-merged.ts";
import { deletionWords } from "./company-deletion-words.ts";
import { companyOf } from "./company-of.ts";

/** GET /companies/{id}/delete: the records that block the deletion, or those that it will hide. */
export const askToDeletePage: Page = async (deps, request) => await page(deps, request, 200);

/** POST /companies/{id}/delete */
export const deleteCompanyPage: Page = async (deps, request) => {
  const { actor } = request;
  const company = await companyOf(deps, request);
  const id = String(company.id);
  const deleted = await deleteCompany(actor.tenant, deps.database, id, changedBy(actor));
  if (deleted.outcome === "missing") throw errors.resourceMissing("Company", id);
  if (deleted.outcome === "blocked") return await page(deps, request, 422);
  return { to: "/companies", notice: notice("company-deleted", { id, name: company.name ?? "" }) };
};

/**
 * POST /companies/{id}/restore: as it was, with its contacts and addresses. One that is not deleted stays as it is. For
 * one that was merged into another, the undo of the merge is proposed.
 */
export const restoreCompanyPage: Page = async (deps, request) => {
  const { actor, params, language } = request;
  const tried = await restoredOrMerged(companyNoun, deps, request, async (id) => {
    return await restoreCompany(actor.tenant, deps.database, id, changedBy(actor));
  });
  if (tried.merge !== null) return { to: `/merges/${tried.merge}/undo` };
  const { restored } = tried;
  if (restored.outcome === "written") return { to: `/companies/${params.id}`, notice: notice("company-restored") };
  const words = deletionWords[language];
  const { holder, taxId, isFormer } = restored;
  const main = html`<section class="message" role="alert"><h1>${words.notRestored}</h1>
<p>${isFormer ? words.mergedSince(taxId) : words.takenSince(taxId)} <a href="/companies/${holder.id}">${holder.name}</a></p>
<p>${isFormer ? words.undoMerge : words.freeIt}</p>
<p><a class="button" href="/companies?deleted=1">${words.toDeleted}</a></p></section>`;
  return { status: 409, title: words.notRestored, area: "companies", main };
};

async function page(deps: Deps, request: PageRequest, status: number): Promise<Shown> {
  const { actor, language } = request;
  const company = await companyOf(deps, request);
  const id = String(company.id);
  const belongings = await countBelongings(actor.tenant, deps.database, id);
  const words = deletionWords[language];
  const title = words.title(company.name ?? "");
  const blockers = BLOCKING_TABLES.filter((kind) => belongings[kind] > 0);
  const main = html`<section class="message"${status === 422 && html` role="alert"`}><h1>${title}</h1>
${
  blockers.length > 0
    ? html`<p>${words.blocked}</p>
<ul class="blockers">${blockers.map(
        (kind) =>
          html`<li><a href="${kind === "invoices" ? `/companies/${id}/invoices` : `/companies/${id}#${kind}`}">${counted(language, belongings[kind], words.blockers[kind])}</a></li>`,
      )}</ul>
${company.status !== "inactive" && html`<p>${words.instead}</p>`}
<form method="post" action="/companies/${id}"><p class="actions">${company.status !== "inactive" && html`<button class="main" name="status" value="inactive">${words.inactivate}</button>`}
<a class="button" href="/companies/${id}">${words.back}</a></p></form>`
    : html`<p>${hidden(belongings, language)} ${words.undoable}</p>
<form method="post" action="/companies/${id}/delete"><p class="actions"><button class="danger">${words.delete}</button>
<a class="button" href="/companies/${id}">${shellWords[language].cancel}</a></p></form>`
}</section>`;
  return { status, title, area: "companies", main };
}

function hidden({ contacts, addresses }: Belongings, language: Language): string | Html {
  const words = deletionWords[language];
  const parts = [
    ...(contacts > 0 ? [counted(language, contacts, words.contacts)] : []),
    ...(addresses > 0 ? [counted(language, addresses, words.addresses)] : []),
  ];
  return parts.length === 0 ? words.hidesNothing : words.hides(parts.join(words.and));
}
