import { html, type Content, type Html } from "./html.ts";

/**
 * A cell that is unclear without its column's head, such as a date or a count. On a phone, where lists have no heads,
 * its label stands before it (tables.css).
 */
export function labelledCell(label: string, content: Content, kind: "date" | "number" | null = null): Html {
  return html`<td${kind === null ? whole(content) : html` class="${kind}"`} data-label="${label}">${content}</td>`;
}

/** A cell that is clear without its column's head. */
export function textCell(content: Content): Html {
  return html`<td${whole(content)}>${content}</td>`;
}

/** The complete text as the cell's title, because the cell may cut it. */
function whole(content: Content): Content {
  return typeof content === "string" && html` title="${content}"`;
}
