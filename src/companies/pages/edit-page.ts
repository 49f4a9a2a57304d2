import { changedSince } from "../../changes/meanwhile-queries.ts";
import { reconcile, type Reconciled } from "../../changes/reconcile.ts";
import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { parseTimestamp } from "../../platform/dates.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { usersToChoose } from "../../users/user-queries.ts";
import type { Form } from "../../web/forms/form.ts";
import { html } from "../../web/html.ts";
import { messagesIn } from "../../web/messages.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { companyLabels } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { updateCompany } from "../write-company.ts";
import { companyForm, type CompanyForm } from "./company-form.ts";
import { companyOf } from "./company-of.ts";
import { factForm } from "./fact-form.ts";
import { factLine } from "./facts.ts";
import { companyTelling } from "./telling.ts";

const NAMES = companyFields.map(({ name }) => name);

/** The part of a form that depends on what came of the last try. */
type Tried = Pick<CompanyForm, "values" | "errors" | "holder"> & { status: number; conflict: Reconciled | null };

/** GET /companies/{id}/edit: all of it; with `field` one field, which swap.js puts where its value stands. */
export const editCompanyPage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const untried = { status: 200, values: company, errors: null, holder: null, conflict: null };
  return await page(deps, request, company, request.query.get("field"), untried);
};

/**
 * POST /companies/{id}: the fields that were posted, and no others. `version` is the updated_at that the form was made of: what
 * somebody else changed since in the same fields is not overwritten unknowingly. `field`: of a form for this field alone.
 */
export const updateCompanyPage: Page = async (deps, request) => {
  const { form } = request;
  const company = await companyOf(deps, request);
  return await update(deps, request, company, parseTimestamp(form.get("version") ?? ""));
};

async function update(
  deps: Deps,
  request: PageRequest,
  company: RowByName,
  version: string | null,
): Promise<PageAnswer> {
  const { actor, form } = request;
  const id = String(company.id);
  const field = NAMES.find((name) => name === form.get("field"));
  const written = await updateCompany(deps, actor, id, posted(form, company), version === null ? null : [version]);
  if (written.outcome === "missing") throw errors.resourceMissing("Company", id);
  if (written.outcome === "written") {
    const to = `/companies/${id}`;
    return field === undefined ? { to, notice: notice("company-saved") } : { to: `${to}#fact-${field}` };
  }
  if (written.outcome === "outdated") return await outdated(deps, request, String(version));
  const values = Object.fromEntries(NAMES.map((name) => [name, form.get(name) ?? company[name]]));
  const messages = written.outcome === "invalid" ? written.messages : null;
  const holder = written.outcome === "tax-id-taken" ? written.holder : null;
  // The version stays the one that the person saw.
  const seen = { ...company, updated_at: version ?? company.updated_at ?? null };
  return await page(deps, request, seen, field, { status: 422, values, errors: messages, holder, conflict: null });
}

/** The fields as they were posted, without an owner who stays: it may be somebody who is not active any more. */
function posted(form: Form, company: RowByName): Input {
  const stays = form.get("assigned_to") === (company.assigned_to ?? "");
  return form.input(stays ? NAMES.filter((name) => name !== "assigned_to") : NAMES);
}

/** Somebody else was quicker. Where that was in other fields, nobody is in anybody's way. */
async function outdated(deps: Deps, request: PageRequest, version: string): Promise<PageAnswer> {
  const { actor, form } = request;
  // Read before the changes: one that comes in between is told now, and once more when it is saved.
  const company = await companyOf(deps, request);
  const { database } = deps;
  const meanwhile = await changedSince(actor.tenant, database, "company", String(company.id), version);
  const isInTheWay = NAMES.some((name) => form.has(name) && meanwhile.has(name));
  if (!isInTheWay) return await update(deps, request, company, company.updated_at ?? null);
  const telling = await companyTelling(deps, request);
  const conflict = reconcile(companyFields, form, company, meanwhile, telling);
  const tried = { status: 409, values: conflict.values, errors: null, holder: null, conflict };
  return await page(deps, request, company, form.get("field"), tried);
}

async function page(
  { database }: Deps,
  { actor, language }: PageRequest,
  company: RowByName,
  field: string | undefined,
  { status, ...tried }: Tried,
): Promise<Shown> {
  const title = shellWords[language].editTitle(company.name ?? "");
  const users = await usersToChoose(actor.tenant, database);
  const [action, submit] = [`/companies/${company.id}`, shellWords[language].save];
  const form = { ...tried, users, language, action, back: action, submit, version: company.updated_at ?? "" };
  const only = companyFields.find(({ name }) => name === field);
  const main = html`<header class="heading"><h1>${title}</h1></header>
${
  only === undefined
    ? companyForm(form)
    : html`<dl class="facts">${factLine(only.name, factForm(only, withMessages(form)), language)}</dl>`
}`;
  return { status, title, area: "companies", main };
}

function withMessages<T extends CompanyForm>(form: T): T {
  const { errors: found, language } = form;
  return { ...form, errors: found && messagesIn(language, found, companyLabels[language]) };
}
