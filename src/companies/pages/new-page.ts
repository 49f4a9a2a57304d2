import type { Deps } from "../../deps.ts";
import { usersToChoose } from "../../users/user-queries.ts";
import { typedInput } from "../../web/forms/typed.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { companyRow } from "../company-row.ts";
import { companyWords } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { createCompany } from "../write-company.ts";
import { companyForm, type CompanyForm } from "./company-form.ts";

const NAMES = companyFields.map(({ name }) => name);

/** GET /companies/new: empty, or with what the query says, such as the name that was searched for. */
export const newCompanyPage: Page = async (deps, request) => {
  const values = Object.fromEntries(NAMES.map((name) => [name, request.query.get(name)]));
  return await page(deps, request, { status: 200, values, errors: null, holder: null });
};

/** POST /companies */
export const createCompanyPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const input = typedInput(companyFields, form.input(NAMES), language);
  const written = await createCompany(deps, actor, input);
  if (written.outcome === "written") {
    const { id } = companyRow(written.row, { keyring: deps.keyring, tenant: actor.tenant });
    return { to: `/companies/${id}`, notice: notice("company-created") };
  }
  const values = form.values(NAMES);
  const errors = written.outcome === "invalid" ? written.messages : null;
  const holder = written.outcome === "tax-id-taken" ? written.holder : null;
  return await page(deps, request, { status: 422, values, errors, holder });
};

async function page(
  { database }: Deps,
  { actor, language }: PageRequest,
  { status, ...form }: Pick<CompanyForm, "values" | "errors" | "holder"> & { status: number },
): Promise<Shown> {
  const words = companyWords[language];
  const users = await usersToChoose(actor.tenant, database);
  const values = {
    ...form.values,
    status: form.values.status ?? "prospect",
    country: form.values.country ?? actor.country,
  };
  const main = html`<header class="heading"><h1>${words.newTitle}</h1></header>
    ${companyForm({ ...form, values, users, language, version: null, conflict: null, action: "/companies", back: "/companies", submit: words.create })}`;
  return { status, title: words.newTitle, area: "companies", main };
}
