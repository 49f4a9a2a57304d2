import type { Deps } from "../../../kit/deps.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { day, decimal, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { rowsWithinRoom } from "../../../kit/web/page-room.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { isId } from "../../../platform/ids.ts";
import type { ChangedRow } from "../checking/changed-rows.ts";
import { listForeseen } from "../checking/foreseen-queries.ts";
import { columnLabeller, valueLabel } from "../columns/column-labels.ts";
import type { Import } from "../import-queries.ts";
import { wholeKind } from "../kinds.ts";
import { importWords } from "./import-words.ts";
import { resourceLink } from "./resource-link.ts";

/** Changed rows per page. */
const SHOWN = 25;

/** The rows that a checked import would change, each field with its values before and after. */
export async function foreseenChanges(
  { database, keyring }: Deps,
  { actor, language, query }: PageRequest,
  found: Import,
): Promise<Html> {
  const { id } = found;
  const asked = query.get("after") ?? "";
  const after = isId(asked) ? asked : "0";
  const label = columnLabeller(found, language);
  const listed = await listForeseen(actor.tenant, { database, keyring }, id, { after, most: SHOWN });
  const changed = rowsWithinRoom(listed.changed, ({ fields }) =>
    fields.flatMap(([name, ...of]) => [label(name), ...of]),
  );
  const next = changed.length < listed.changed.length ? (changed.at(-1)?.position ?? null) : listed.next;
  const words = importWords[language];
  const { table, fields } = wholeKind(found).bulk;
  const page = (to: string, word: string) => html`<a class="button" href="/imports/${id}?rows=change${to}">${word}</a>`;
  return html`<p class="hint">${words.changesHint}</p>
<ul class="changed-rows" id="changes">${changed.map(
    (row) => html`<li>${resourceLink(table, row.id, row.title, language)}
<ul class="differences">${row.fields.map((each) => html`<li>${difference(each, { label, table, fields, currency: row.currency }, language)}</li>`)}</ul></li>`,
  )}</ul>
${
  (next !== null || after !== "0") &&
  html`<p class="actions">${after !== "0" && page("", words.changesFirst)}${next !== null && page(`&after=${next}`, words.changesNext)}</p>`
}`;
}

type Columns = {
  label: (name: string) => string;
  table: string;
  fields: readonly Field[];
  currency: string | null | undefined;
};

function difference(
  [name, before, after]: ChangedRow["fields"][number],
  { label: labelOf, table, fields, currency }: Columns,
  language: Language,
) {
  const [, position, item] = /^lines\.(\d+)\.(.*)$/.exec(name) ?? [];
  const field = fields.find((one) => one.name === (item ?? name));
  const label = labelOf(item ?? name);
  const words = importWords[language];
  const isCleared = after === null && html` (${words.cleared})`;
  return html`<span class="muted">${position === undefined ? label : words.ofLine(position, label)}</span>: <span class="before">${readValue(table, field, before, { language, currency })}</span> → ${readValue(table, field, after, { language, currency })}${isCleared}`;
}

/** A value of a field of a table as people read it. */
export function readValue(
  table: string,
  field: Field | undefined,
  value: string | null,
  { language, currency }: { language: Language; currency: string | null | undefined },
): Content {
  if (value === null) return "—";
  const kind = field?.kind;
  if (kind === "enum" && field !== undefined) return valueLabel(table, field, language, value);
  if (kind === "date") return day(language, value);
  if (kind === "decimal") return decimal(language, value, field?.isAmount === true ? currency : null);
  if (kind === "integer") return wholeNumber(language, Number(value));
  return kind === "boolean" ? shellWords[language][value === "true" ? "yes" : "no"] : value;
}
