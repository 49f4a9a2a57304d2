import type { Deps } from "../../../kit/deps.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { day, decimal, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { isId } from "../../../platform/ids.ts";
import type { ChangedRow } from "../checking/changed-rows.ts";
import { listForeseen } from "../checking/foreseen-queries.ts";
import { columnLabel, valueLabels } from "../columns/column-labels.ts";
import type { Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import { importWords } from "./import-words.ts";
import { resourceLink } from "./resource-link.ts";

/** Changed rows per page. */
const SHOWN = 25;

/** The rows that a checked import would change, each field with its values before and after. */
export async function foreseenChanges(
  { database, keyring }: Deps,
  { actor, language, query }: PageRequest,
  { id, kind }: Import,
): Promise<Html> {
  const asked = query.get("after") ?? "";
  const after = isId(asked) ? asked : "0";
  const { changed, next } = await listForeseen(actor.tenant, { database, keyring }, id, { after, most: SHOWN });
  const words = importWords[language];
  const { table, fields } = kindOf(kind).bulk;
  const page = (to: string, word: string) => html`<a class="button" href="/imports/${id}?rows=change${to}">${word}</a>`;
  return html`<p class="hint">${words.changesHint}</p>
<ul class="changed-rows" id="changes">${changed.map(
    (row) => html`<li>${resourceLink(table, row.id, row.title, language)}
<ul class="differences">${row.fields.map((each) => html`<li>${difference(each, { kind, fields }, language)}</li>`)}</ul></li>`,
  )}</ul>
${
  (next !== null || after !== "0") &&
  html`<p class="actions">${after !== "0" && page("", words.changesFirst)}${next !== null && page(`&after=${next}`, words.changesNext)}</p>`
}`;
}

type Columns = { kind: string; fields: readonly Field[] };

function difference(
  [name, before, after]: ChangedRow["fields"][number],
  { kind, fields }: Columns,
  language: Language,
) {
  const [, position, item] = /^lines\.(\d+)\.(.*)$/.exec(name) ?? [];
  const field = fields.find((one) => one.name === (item ?? name));
  const label = columnLabel(kind, language, item ?? name);
  const words = importWords[language];
  const isCleared = after === null && html` (${words.cleared})`;
  return html`<span class="muted">${position === undefined ? label : words.ofLine(position, label)}</span>: <span class="before">${readValue(kind, field, before, language)}</span> → ${readValue(kind, field, after, language)}${isCleared}`;
}

/** A value of a kind's field as people read it. */
export function readValue(of: string, field: Field | undefined, value: string | null, language: Language): Content {
  if (value === null) return "—";
  const kind = field?.kind;
  if (kind === "enum" && field !== undefined)
    return valueLabels(kindOf(of).bulk.table, field.name, language)[value] ?? value;
  if (kind === "date") return day(language, value);
  if (kind === "decimal") return decimal(language, value);
  if (kind === "integer") return wholeNumber(language, Number(value));
  return kind === "boolean" ? shellWords[language][value === "true" ? "yes" : "no"] : value;
}
