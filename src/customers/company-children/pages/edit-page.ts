import { editPages } from "../../../kit/changes/edit-pages.ts";
import { readTyped } from "../../../kit/web/forms/typed.ts";
import { html } from "../../../kit/web/html.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { readCustom, together } from "../../custom-fields/custom-inputs.ts";
import { customTableOf } from "../../custom-fields/defined-fields.ts";
import { writeChild } from "../write-child.ts";
import { childForm } from "./form.ts";
import { childOf, type ChildNoun } from "./noun.ts";
import { childWording } from "./wording.ts";

/** GET /contacts/{id}/edit, POST /contacts/{id}, and others */
export function editChildPages(noun: ChildNoun): { editPage: Page; updatePage: Page } {
  const { model, changeType, table, fields } = noun.child;
  const names = fields.map(({ name }) => name);
  const find = childOf(noun);
  const write = writeChild(noun.child);
  return editPages({
    type: changeType,
    model,
    fields,
    find: async (deps, request) => (await find(deps, request)).row,
    update: async (deps, actor, id, input, expected) => await write.update(deps, actor, id, input, expected),
    wording: async (deps, request) => await childWording(noun, deps, request),
    custom: async ({ database }, { actor }) => await customTableOf(actor.tenant, database, noun.child),
    input: (form, row, language, custom) =>
      together(readTyped(fields, form.input(names), language), readCustom(custom, form, row, language)),
    saved: (id) => ({ to: `/${table}/${id}`, notice: notice(`${table}-saved`) }),
    async page({ database }, { actor, language }, row, { status, ...filled }) {
      const custom = await customTableOf(actor.tenant, database, noun.child);
      const title = shellWords[language].editTitle(noun.title(row));
      const action = `/${table}/${row.id}`;
      const main = html`<header class="heading"><h1>${title}</h1></header>
${childForm(noun, { ...filled, custom, action, back: action, submit: shellWords[language].save, language })}`;
      return { status, title, area: "companies", main };
    },
  });
}
