import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import type { FieldValues } from "../../../kit/web/forms/field.ts";
import { readTyped } from "../../../kit/web/forms/typed.ts";
import { html } from "../../../kit/web/html.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { withDefaults } from "../../../platform/fields/stored-values.ts";
import { companyOf } from "../../companies/pages/company-of.ts";
import { readCustom, together } from "../../custom-fields/custom-inputs.ts";
import { customTableOf } from "../../custom-fields/defined-fields.ts";
import { writeChild } from "../write-child.ts";
import { childForm } from "./form.ts";
import type { ChildNoun } from "./noun.ts";

/** GET /companies/{id}/contacts/new and others: the form with its defaults. */
export function newChildPage(noun: ChildNoun): Page {
  return async (deps, request) => {
    const defaults = withDefaults(noun.child.fields, {}, request.actor.country);
    const values = Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, String(value)]));
    return await page(noun, deps, request, { status: 200, values, errors: null });
  };
}

/** POST /companies/{id}/contacts and others */
export function createChildPage(noun: ChildNoun): Page {
  const { table, fields } = noun.child;
  const names = fields.map(({ name }) => name);
  const write = writeChild(noun.child);
  return async (deps, request) => {
    const { actor, form, language } = request;
    const custom = await customTableOf(actor.tenant, deps.database, noun.child);
    const typed = readTyped(fields, form.input(names), language);
    const { input, errors: unclear } = together(typed, readCustom(custom, form, {}, language));
    const { id: companyId } = await companyOf(deps, request);
    const values = form.values([...names, ...custom.fields.map(({ name }) => name)]);
    if (unclear !== null) return await page(noun, deps, request, { status: 422, values, errors: unclear });
    const written = await write.create(deps, actor, String(companyId), input);
    if (written.outcome === "missing") throw errors.resourceMissing("Company", String(companyId));
    if (written.outcome === "written") return { to: `/${table}/${written.row[0]}`, notice: notice(`${table}-created`) };
    return await page(noun, deps, request, { status: 422, values, errors: written.messages });
  };
}

async function page(
  noun: ChildNoun,
  deps: Deps,
  request: PageRequest,
  { status, ...form }: { status: number; values: FieldValues; errors: FieldErrors | null },
): Promise<Shown> {
  const { actor, language } = request;
  const { table } = noun.child;
  const words = noun.words[language];
  const company = await companyOf(deps, request);
  const custom = await customTableOf(actor.tenant, deps.database, noun.child);
  const title = words.newTitle(company.name ?? "");
  const back = `/companies/${company.id}`;
  const main = html`<header class="heading"><h1>${title}</h1></header>
${childForm(noun, { ...form, custom, action: `${back}/${table}`, back, submit: words.create, holder: null, version: null, conflict: null, language })}`;
  return { status, title, area: "companies", main };
}
