import { html, type Content, type Html } from "./html.ts";

/**
 * A list's cell that does not say what it is by itself, such as a day or a count. On a telephone, where a list has no heads, its
 * label stands before it (tables.css).
 */
export function labelledCell(label: string, content: Content, kind: "date" | "number" | null = null): Html {
  return html`<td${kind === null ? whole(content) : html` class="${kind}"`} data-label="${label}">${content}</td>`;
}

/** A cell that says by itself what it is. */
export function textCell(content: Content): Html {
  return html`<td${whole(content)}>${content}</td>`;
}

/** The whole of a text that may be cut, as the title of its cell. */
function whole(content: Content): Content {
  return typeof content === "string" && html` title="${content}"`;
}
