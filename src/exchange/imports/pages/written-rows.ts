import type { Deps } from "../../../kit/deps.ts";
import { rowTable } from "../../../kit/tables/rows.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { isId } from "../../../platform/ids.ts";
import type { Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import { undoQueries } from "../undoing/undo-queries.ts";
import { importWords } from "./import-words.ts";
import { resourceLink } from "./resource-link.ts";

/** Rows per page. */
const SHOWN = 50;

/** The lists in which new rows of a kind stand first. The rows of other kinds are on the import's own page. */
const NEWEST_FIRST: Readonly<Record<string, string>> = { companies: "/companies?sort=-id" };

/** The address of the rows that an import wrote. */
export function writtenHref({ id, kind, created }: Import): string {
  const list = created > 0 ? NEWEST_FIRST[kind] : undefined;
  return list ?? `/imports/${id}?rows=written#written`;
}

/** The rows that an import wrote, page by page; null unless the address asks for them. */
export async function writtenRows(
  { database }: Deps,
  { actor, language, query }: PageRequest,
  { id, kind }: Import,
): Promise<Html | null> {
  if (query.get("rows") !== "written") return null;
  const asked = query.get("after") ?? "";
  const after = isId(asked) ? asked : "0";
  const { table: noun } = kindOf(kind).bulk;
  const rows = await undoQueries(noun).listWritten(actor.tenant, database, id, after, SHOWN + 1);
  const words = importWords[language];
  const next = rows.length > SHOWN ? rows[SHOWN - 1]?.id : undefined;
  const page = (to: string, word: string) =>
    html`<a class="button" href="/imports/${id}?rows=written${to}#written">${word}</a>`;
  return html`<section class="section" id="written"><header><h2>${words.writtenTitle}</h2></header>
${rowTable(rows.slice(0, SHOWN), [
  [
    "name",
    words.file,
    ({ resourceId: id, title }) => (title === null ? words.nameless(id) : resourceLink(noun, id, title, language)),
  ],
  ["text", words.result, ({ isCreated }) => (isCreated ? words.wasCreated : words.wasChanged)],
])}
<p class="actions">${after !== "0" && page("", words.changesFirst)}${next !== undefined && page(`&after=${next}`, words.changesNext)}</p></section>`;
}
