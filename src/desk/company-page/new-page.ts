import { findSharing, sharedFields, type CompaniesSharing } from "../../customers/alike/alike-to.ts";
import { companyRow } from "../../customers/companies/company-row.ts";
import { companyWords } from "../../customers/companies/company-words.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { companyForm, type CompanyForm } from "../../customers/companies/pages/company-form.ts";
import { companiesOfSameName, type CompanyOfName } from "../../customers/companies/same-name-queries.ts";
import { createCompany, type CompanyWritten } from "../../customers/companies/write-company.ts";
import { readCustom, together } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import { SHOWN_BESIDE } from "../../kit/web/forms/once.ts";
import { readTyped } from "../../kit/web/forms/typed.ts";
import { html, type Html } from "../../kit/web/html.ts";
import type { Language } from "../../kit/web/language.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { usersToChoose } from "../../people/users/user-queries.ts";
import { lookUpWords } from "./look-up-words.ts";

/** The ids of the companies that the form has shown as alike. */
const ALIKE = `${SHOWN_BESIDE}alike`;
const NAMES = companyFields.map(({ name }) => name);

/**
 * GET /companies/new: empty, or with what the query says, such as the name that was searched for. With `next=invoice`
 * the next page is the form of the company's invoice.
 */
export const newCompanyPage: Page = async (deps, request) => {
  const values = Object.fromEntries(NAMES.map((name) => [name, request.query.get(name)]));
  return await newCompanyForm(deps, request, { status: 200, values, errors: null, holder: null });
};

/** POST /companies. Without scripts, the form has not shown companies with the same name: the next page links one. */
export const createCompanyPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const shown = new Set(form.all(ALIKE));
  const alike = await companiesOfSameName(actor.tenant, deps.database, form.get("name") ?? "");
  const sharing = await findSharing(deps, actor.tenant, form.values(NAMES));
  const unseen = [...alike, ...Object.values(sharing).flat()].find(({ id }) => !shown.has(id));
  const custom = await customTable(actor.tenant, deps.database, "company");
  const names = custom.fields.map(({ name }) => name);
  const own = readTyped(companyFields, form.input(NAMES), language);
  const { input, errors: unclear } = together(own, readCustom(custom, form, {}, language));
  const written: CompanyWritten =
    unclear === null ? await createCompany(deps, actor, input) : { outcome: "invalid", messages: unclear };
  if (written.outcome === "written") {
    const { id } = companyRow(written.row, { keyring: deps.keyring, tenant: actor.tenant });
    const created = unseen === undefined ? notice("company-created") : notice("company-alike", { id: unseen.id });
    return { to: isForInvoice(request) ? `/invoices/new?company=${id}` : `/companies/${id}`, notice: created };
  }
  const values = form.values([...NAMES, ...names]);
  const errors = written.outcome === "invalid" ? written.messages : null;
  const holder = written.outcome === "tax-id-taken" ? written.holder : null;
  return await newCompanyForm(deps, request, { status: 422, values, errors, holder });
};

function isForInvoice({ form, query }: PageRequest): boolean {
  return (form.get("next") ?? query.get("next")) === "invoice";
}

/** @param told a line above the form, and notes beside its fields */
export async function newCompanyForm(
  deps: Deps,
  request: PageRequest,
  { status, ...form }: Pick<CompanyForm, "values" | "errors" | "holder"> & { status: number },
  told: { line: Html | null; notes: Readonly<Record<string, Html>> } = { line: null, notes: {} },
): Promise<Shown> {
  const { database, config } = deps;
  const { actor, language } = request;
  const words = companyWords[language];
  const custom = await customTable(actor.tenant, database, "company");
  const [users, alike, sharing] = await Promise.all([
    usersToChoose(actor.tenant, database),
    companiesOfSameName(actor.tenant, database, form.values.name ?? ""),
    findSharing(deps, actor.tenant, form.values),
  ]);
  const found = { name: alike, ...sharing };
  const notes = Object.fromEntries(
    (["name", ...sharedFields] as const).map((field) => [
      field,
      html`${alikeNote(field, found[field], language)}${told.notes[field]}`,
    ]),
  );
  const isThen = isForInvoice(request);
  const more = html`${config.companyLookupUrl !== null && html`<button formaction="/companies/look-up">${lookUpWords[language].fillIn}</button>`}
${isThen && html`<input type="hidden" name="next" value="invoice">`}`;
  const values = {
    ...form.values,
    status: form.values.status ?? "prospect",
    country: form.values.country ?? actor.country,
  };
  const main = html`<header class="heading"><h1>${words.newTitle}</h1></header>
    ${told.line}
    ${companyForm({ ...form, values, users, custom, notes: { ...told.notes, ...notes }, language, version: null, conflict: null, action: "/companies", back: isThen ? "/invoices/new" : "/companies", submit: words.create, more })}`;
  return { status, title: words.newTitle, area: "companies", main };
}

/** Loaded again during typing (live.js). The companies are posted: they are not shown again after Create. */
function alikeNote(field: "name" | keyof CompaniesSharing, alike: readonly CompanyOfName[], language: Language): Html {
  const words = companyWords[language];
  const lines = alike.map(
    ({ id, name, city }) =>
      html`<span>${words.alikeBy[field]([name, city].filter(Boolean).join(", "))} <a href="/companies/${id}" aria-label="${words.open}: ${name}">${words.open}</a><input type="hidden" name="${ALIKE}" value="${id}"></span>`,
  );
  return html`<span id="alike-${field}" role="status" data-asks="/companies/new">${lines}</span>`;
}
