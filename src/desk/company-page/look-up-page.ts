import { LOOKED_UP, lookUpCompany, type RegisteredCompany } from "../../customers/companies/company-register.ts";
import { companyLabels } from "../../customers/companies/company-words.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { validate } from "../../platform/fields/validation.ts";
import { protocolErrors } from "../../platform/http/http-error.ts";
import { trim } from "../../platform/text.ts";
import { lookUpWords } from "./look-up-words.ts";
import { newCompanyForm } from "./new-page.ts";

type Proposed = Partial<Record<(typeof LOOKED_UP)[number], string>>;
/** `problem` is set if nothing was found. */
type Proposal = { texts: Proposed; isVatPayer: boolean | null; problem: string | null };

/** POST /companies/look-up: the form of a new company again, with what the register says about its fiscal id. */
export const lookUpNewCompanyPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const custom = await customTable(actor.tenant, deps.database, "company");
  const typed = form.values([...companyFields, ...custom.fields].map(({ name }) => name));
  const { texts, isVatPayer, problem } = await lookUp(deps, request, form.get("tax_id") ?? "");
  const words = lookUpWords[language];
  const values = { ...typed };
  const notes: Record<string, Html> = {};
  for (const [name, text] of Object.entries(texts)) {
    const own = trim(typed[name] ?? "");
    if (own === "") values[name] = text;
    else if (own !== text) notes[name] = html`${words.says(text)}`;
  }
  if (isVatPayer !== null) notes.tax_id = html`${isVatPayer ? words.vat : words.noVat}`;
  const line =
    problem === null
      ? html`<p class="hint" role="status">${words.filled(texts.name ?? "")}</p>`
      : html`<p class="problem" role="alert">${problem}</p>`;
  return await newCompanyForm(deps, request, { status: 200, values, errors: null, holder: null }, { line, notes });
};

/** GET /companies/{id}/look-up: the values that differ in the register, to choose from. */
export const lookUpCompanyPage: Page = async (deps, request) => {
  const { language } = request;
  const company = await companyOf(deps, request);
  const { texts, isVatPayer, problem } = await lookUp(deps, request, company.tax_id ?? "");
  const words = lookUpWords[language];
  const labels = companyLabels[language];
  const differing = Object.entries(texts).filter(([name, text]) => (company[name] ?? null) !== text);
  const path = `/companies/${company.id}`;
  const title = words.title(company.name ?? "");
  const choices = differing.map(
    ([name, text]) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${text}"${(company[name] ?? null) === null && html` checked`}> ${labels[name as keyof typeof labels]}: ${text} <small class="muted">${company[name] ?? words.empty}</small></label>`,
  );
  const main = html`<a class="back" href="${path}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${title}</h1></header>
${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
${isVatPayer !== null && html`<p>${isVatPayer ? words.vat : words.noVat}</p>`}
${
  choices.length === 0
    ? html`<p>${problem === null && words.same}</p><p class="actions"><a class="button" href="${path}">${shellWords[language].cancel}</a></p>`
    : html`<form method="post" action="${path}"><input type="hidden" name="version" value="${company.updated_at}">
<fieldset><legend>${words.choose}</legend>${choices}</fieldset>
<p class="actions"><button class="main">${words.save}</button><a class="button" href="${path}">${shellWords[language].cancel}</a></p></form>`
}`;
  return { title, area: "companies", main };
};

/** Throws routeUnknown without a register, and Overloaded. */
async function lookUp(deps: Deps, { actor, language }: PageRequest, taxId: string): Promise<Proposal> {
  const { companyLookupUrl: url } = deps.config;
  if (url === null) throw protocolErrors.routeUnknown("/companies/look-up");
  const words = lookUpWords[language];
  const nothing = { texts: {}, isVatPayer: null };
  if (trim(taxId) === "") return { ...nothing, problem: words.problems.empty };
  const found = await lookUpCompany(deps, actor.tenant, url, trim(taxId));
  if (found.outcome !== "found") return { ...nothing, problem: words.problems[found.outcome] };
  return { ...checked(found.company), problem: null };
}

/** Only texts that a company may have. */
function checked({ texts, isVatPayer }: RegisteredCompany): Omit<Proposal, "problem"> {
  const { values, errors: wrong } = validate(companyFields, texts, "update");
  const right = LOOKED_UP.flatMap((name) => {
    const value = values[name];
    return wrong?.[name] === undefined && typeof value === "string" ? [[name, value] as const] : [];
  });
  return { texts: Object.fromEntries(right), isVatPayer };
}
