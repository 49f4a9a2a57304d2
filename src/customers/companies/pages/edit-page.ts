import { editPages } from "../../../kit/changes/edit-pages.ts";
import { readTyped } from "../../../kit/web/forms/typed.ts";
import { html } from "../../../kit/web/html.ts";
import { notice } from "../../../kit/web/notice.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { usersToChoose } from "../../../people/users/user-queries.ts";
import { CUSTOM } from "../../../platform/fields/custom.ts";
import { readCustom, together } from "../../custom-fields/custom-inputs.ts";
import { customTable } from "../../custom-fields/defined-fields.ts";
import { companyFields } from "../company.ts";
import { updateCompany } from "../write-company.ts";
import { companyForm, factForm } from "./company-form.ts";
import { companyOf } from "./company-of.ts";
import { factLine } from "./facts.ts";
import { companyWording } from "./wording.ts";

const NAMES: readonly string[] = companyFields.map(({ name }) => name);

/**
 * GET /companies/{id}/edit: the whole form; with `field` one field, which swap.js puts in place of its value.
 * POST /companies/{id}: with `field` of a form for this field alone.
 */
export const { editPage: editCompanyPage, updatePage: updateCompanyPage } = editPages({
  type: "company",
  model: "Company",
  fields: companyFields,
  find: companyOf,
  update: updateCompany,
  wording: companyWording,
  custom: async ({ database }, { actor }) => await customTable(actor.tenant, database, "company"),
  /** Without an unchanged owner, who may not be active any more. */
  input(form, company, language, custom) {
    const stays = form.get("assigned_to") === (company.assigned_to ?? "");
    const posted = form.input(stays ? NAMES.filter((name) => name !== "assigned_to") : NAMES);
    return together(readTyped(companyFields, posted, language), readCustom(custom, form, company, language));
  },
  saved(id, form) {
    const to = `/companies/${id}`;
    const field = form.get("field");
    return field === undefined || !(NAMES.includes(field) || field.startsWith(CUSTOM))
      ? { to, notice: notice("company-saved") }
      : { to: `${to}#fact-${field}` };
  },
  async page({ database }, { actor, language, form, query }, company, { status, ...filled }) {
    const title = shellWords[language].editTitle(company.name ?? "");
    const users = await usersToChoose(actor.tenant, database);
    const custom = await customTable(actor.tenant, database, "company");
    const action = `/companies/${company.id}`;
    const shown = { ...filled, users, custom, language, action, back: action, submit: shellWords[language].save };
    const field = status === 200 ? query.get("field") : form.get("field");
    const only = [...companyFields, ...custom.fields].find(({ name }) => name === field);
    const main = html`<header class="heading"><h1>${title}</h1></header>
${
  only === undefined
    ? companyForm(shown)
    : html`<dl class="facts">${factLine(only.name, factForm(only, shown), language, custom)}</dl>`
}`;
    return { status, title, area: "companies", main };
  },
});
