import { errors } from "../../errors.ts";
import type { Deps } from "../../deps.ts";
import type { Page, PageRequest, Shown } from "../../page.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import { usersToChoose } from "../../users/user-queries.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import { shellWords } from "../../web/shell-words.ts";
import { companyFields } from "../company.ts";
import { findCompany } from "../company-queries.ts";
import { companyRow } from "../company-row.ts";
import { companyWords } from "../company-words.ts";
import { updateCompany } from "../write-company.ts";
import { companyForm, type CompanyForm } from "./company-form.ts";

const NAMES = companyFields.map(({ name }) => name);

/** The company that the path names. Throws resourceMissing. */
export async function companyOf({ database, keyring }: Deps, { actor, params }: PageRequest): Promise<RowByName> {
  const { tenant } = actor;
  const id = params.id ?? "";
  const row = isId(id) ? await findCompany(tenant, database, id) : null;
  if (row === null) throw errors.resourceMissing("Company", id);
  return companyRow(row, { keyring, tenant });
}

/** GET /companies/{id}/edit */
export const editCompanyPage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  return await page(deps, request, company, { status: 200, values: company, errors: null, holder: null });
};

/** POST /companies/{id}: the fields that were posted, and no others. */
export const updateCompanyPage: Page = async (deps, request) => {
  const { actor, form } = request;
  const company = await companyOf(deps, request);
  const written = await updateCompany(deps, actor, String(company.id), form.input(NAMES));
  if (written.outcome === "missing") throw errors.resourceMissing("Company", String(company.id));
  if (written.outcome === "written") return { to: `/companies/${company.id}`, notice: notice("company-saved") };
  const values = Object.fromEntries(NAMES.map((name) => [name, form.get(name) ?? company[name]]));
  const messages = written.outcome === "invalid" ? written.messages : null;
  const holder = written.outcome === "tax-id-taken" ? written.holder : null;
  return await page(deps, request, company, { status: 422, values, errors: messages, holder });
};

async function page(
  { database }: Deps,
  { actor, language }: PageRequest,
  { id, name }: RowByName,
  { status, ...form }: Pick<CompanyForm, "values" | "errors" | "holder"> & { status: number },
): Promise<Shown> {
  const title = companyWords[language].editTitle(name ?? "");
  const users = await usersToChoose(actor.tenant, database);
  const [action, submit] = [`/companies/${id}`, shellWords[language].save];
  const main = html`<header class="heading"><h1>${title}</h1></header>
    ${companyForm({ ...form, users, language, action, back: action, submit })}`;
  return { status, title, area: "companies", main };
}
