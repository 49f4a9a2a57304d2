import { html, type Content, type Html } from "../web/html.ts";

/** A column: how its cells look, its head, the cell of each row, and what differs from other columns of its kind. */
export type RowColumn<Row> = readonly [kind: CellKind, head: string, cell: (row: Row) => Content, more?: MoreOf<Row>];

type MoreOf<Row> = {
  /** The address that a cell links to. */
  href?(this: void, row: Row): string;
  /** The title of a cell. By default a text that may be cut has its whole text as its title. */
  hint?(this: void, row: Row): string | null;
  /** Whether telephones leave it out. */
  isMinor?: boolean;
  /** Whether telephones show it first, because the list is sorted by it. */
  isSorted?: boolean;
  /** The order that its head chooses, by its name in the address, and the value to compare (short-list.ts). */
  sort?: readonly [name: string, by: (row: Row) => number | string | null];
  /** The whole `th`, if it is more than its text. */
  th?: Html | null;
};

/**
 * The kind of a column decides its width and its looks (tables.css). `text` and `labelled` get a part of the page. If a
 * list shows no heads, the head is before dates, numbers and `labelled` texts. `why` is a state with its reason below.
 */
export type CellKind =
  | "text"
  | "labelled"
  | "name"
  | "wide"
  | "email"
  | "code"
  | "values"
  | "cells"
  | "why"
  | WholeKind;
type WholeKind = (typeof WHOLE_KINDS)[number];

/** Cells that are never cut. */
const WHOLE_KINDS = ["action", "cells", "check", "date", "field-choice", "line", "number", "short", "values"] as const;
const WHOLE: ReadonlySet<CellKind> = new Set(WHOLE_KINDS);
const LABELLED: ReadonlySet<CellKind> = new Set(["labelled", "date", "line", "number"]);
const PLAIN: ReadonlySet<CellKind> = new Set(["text", "labelled"]);
/** Characters of a name, and of another text, that are never cut: there the title would say nothing new. */
const NEVER_CUT = { name: 13, text: 8 };
/** Characters of all titles of a table: fifty columns of the longest texts would double the page. */
const MOST_HINTED = 30_000;

/** A table of rows. On telephones each row is an item of some lines. @param foot its last rows, as `tr` */
export function rowTable<Row>(
  rows: readonly Row[],
  columns: readonly (RowColumn<Row> | false)[],
  foot: Html | null = null,
): Html {
  return namedTable("list", rows, columns, foot);
}

/** @param names the classes of a table with looks of its own: `list mapping` */
export function namedTable<Row>(
  names: string,
  rows: readonly Row[],
  columns: readonly (RowColumn<Row> | false)[],
  foot: Html | null = null,
): Html {
  const shown = columns.filter((column) => column !== false);
  const room = { characters: MOST_HINTED };
  return html`<table class="${names}"><thead><tr>${shown.map(headOf)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>
${shown.map((column) => cellOf(column, row, room))}</tr>`,
  )}</tbody>${foot !== null && html`<tfoot>${foot}</tfoot>`}</table>`;
}

function headOf<Row>([kind, head, , { th = null } = {}]: RowColumn<Row>): Html {
  if (th !== null) return th;
  const names = (kind === "number" || kind === "line") && html` class="${kind}"`;
  return html`<th scope="col"${names}>${kind === "action" ? html`<span class="hidden">${head}</span>` : head}</th>`;
}

function cellOf<Row>(
  [kind, head, cell, { href, hint, isMinor, isSorted } = {}]: RowColumn<Row>,
  row: Row,
  room: { characters: number },
): Html {
  const content = cell(row);
  const whole = hint?.(row) ?? (typeof content === "string" && !WHOLE.has(kind) ? content : "");
  const shortest = kind === "name" ? NEVER_CUT.name : hint === undefined ? NEVER_CUT.text : 0;
  const isHinted = whole.length > shortest && whole.length <= room.characters;
  if (isHinted) room.characters -= whole.length;
  const title = isHinted && html` title="${whole}"`;
  const names = [!PLAIN.has(kind) && kind, isMinor === true && "minor", isSorted === true && "sorted"]
    .filter((name) => name !== false)
    .join(" ");
  const [looks, label] = [names !== "" && html` class="${names}"`, LABELLED.has(kind) && html` data-label="${head}"`];
  return href === undefined
    ? html`<td${looks}${title}${label}>${content}</td>`
    : html`<td${looks}${label}><a href="${href(row)}"${title}>${content}</a></td>`;
}
