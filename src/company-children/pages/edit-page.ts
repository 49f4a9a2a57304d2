import { errors } from "../../errors.ts";
import type { Page, PageRequest, Shown } from "../../page.ts";
import type { FieldErrors } from "../../platform/fields/validation.ts";
import type { FieldValues } from "../../web/field.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import { shellWords } from "../../web/shell-words.ts";
import { writeChild } from "../write-child.ts";
import { childForm } from "./form.ts";
import { childOf, type ChildNoun, type Found } from "./noun.ts";

/** GET /contacts/{id}/edit and the like */
export function editChildPage(noun: ChildNoun): Page {
  const find = childOf(noun);
  return async (deps, request) => {
    const found = await find(deps, request);
    const version = found.row.updated_at ?? null;
    return page(noun, request, found, { status: 200, values: found.row, errors: null, version });
  };
}

/** POST /contacts/{id} and the like: the fields that were posted, and no others. */
export function updateChildPage(noun: ChildNoun): Page {
  const { model, table, fields } = noun.child;
  const names = fields.map(({ name }) => name);
  const find = childOf(noun);
  const write = writeChild(noun.child);
  return async (deps, request) => {
    const { actor, form } = request;
    const found = await find(deps, request);
    const written = await write.update(deps, actor, found.id, form.input(names));
    if (written.outcome === "missing") throw errors.resourceMissing(model, found.id);
    if (written.outcome === "written") return { to: `/${table}/${found.id}`, notice: notice(`${table}-saved`) };
    const values = Object.fromEntries(names.map((name) => [name, form.get(name) ?? found.row[name]]));
    const version = form.get("version") ?? null;
    return page(noun, request, found, { status: 422, values, errors: written.messages, version });
  };
}

function page(
  noun: ChildNoun,
  { language }: PageRequest,
  { row, id }: Found,
  { status, ...form }: { status: number; values: FieldValues; errors: FieldErrors | null; version: string | null },
): Shown {
  const title = shellWords[language].editTitle(noun.title(row));
  const action = `/${noun.child.table}/${id}`;
  const main = html`<header class="heading"><h1>${title}</h1></header>
${childForm(noun, { ...form, action, back: action, submit: shellWords[language].save, language })}`;
  return { status, title, area: "companies", main };
}
