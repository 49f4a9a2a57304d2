import type { Deps } from "../deps.ts";
import { html, type Html } from "../web/html.ts";
import type { InLanguages } from "../web/language.ts";
import { notice, type NoticeWords } from "../web/notice.ts";
import { ownPath } from "../web/own-path.ts";
import type { Page, PageRequest } from "../web/page.ts";
import { shellWords } from "../web/shell-words.ts";
import { chosenColumns, forgetColumns, storeColumns } from "./column-queries.ts";
import type { ListColumn, ListOf } from "./list.ts";
import { tableWords } from "./table-words.ts";

/** The columns that a user sees: the chosen ones that exist, or the default ones. */
export async function shownColumns<Item>(
  { database }: Deps,
  { name, columns, fixed }: ListOf<Item>,
  { actor, session }: PageRequest,
): Promise<readonly ListColumn<Item>[]> {
  const chosen = fixed === undefined ? await chosenColumns(actor.tenant, database, session.user.id, name) : null;
  return columns.filter((column) => (chosen === null ? column.isOptional !== true : chosen.includes(column.name)));
}

/** The columns of a list, or the parts of another page, that a user can show and hide. */
export type Choosable = {
  name: string;
  columns: readonly { name: string }[];
  words: InLanguages<{ labels: Readonly<Record<string, string>> }>;
};

/** The menu with a checkbox for each column. */
export function columnMenu(
  { name, columns, words }: Choosable,
  shown: readonly { name: string }[],
  { language, address }: PageRequest,
  own?: { title: string; byDefault: string },
): Html {
  const { labels } = words[language];
  const isShown = new Set(shown.map((column) => column.name));
  return html`<details class="menu" id="columns"><summary class="button">${own?.title ?? tableWords[language].columns}</summary>
<form method="post" action="/${name}/columns"><input type="hidden" name="to" value="${address}">
${columns.map(
  (column) =>
    html`<label class="choice"><input type="checkbox" name="column" value="${column.name}"${isShown.has(column.name) && html` checked`}> ${labels[column.name]}</label>`,
)}
<p class="actions"><button class="main">${shellWords[language].save}</button>
<button name="default" value="1">${own?.byDefault ?? tableWords[language].columnsDefault}</button></p></form></details>`;
}

/** POST /{list}/columns: stores the columns that a user chose, or removes the choice. */
export function columnsPage({ name, columns }: Pick<Choosable, "name" | "columns">): Page {
  return async ({ database }, { actor, form, session }) => {
    const to = ownPath(form.get("to")) ?? `/${name}`;
    const asked = new Set(form.all("column"));
    const chosen = columns.flatMap((column) => (asked.has(column.name) ? [column.name] : []));
    const { user } = session;
    if (form.get("default") === "1") await forgetColumns(actor.tenant, database, user.id, name);
    else await storeColumns(actor.tenant, database, user.id, name, chosen);
    return { to, notice: notice("columns-saved") };
  };
}

export const columnNotices: NoticeWords = {
  "columns-saved": (_values, language) => html`${tableWords[language].columnsSaved}`,
};
