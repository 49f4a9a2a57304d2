import { html, type Content, type Html } from "./html.ts";

/**
 * A list's cell that does not say what it is by itself, such as a day or a count. On a telephone, where a list has no heads, its
 * label stands before it (tables.css).
 */
export function labelledCell(label: string, content: Content, kind: "date" | "number" | null = null): Html {
  const isCut = kind === null && typeof content === "string";
  return html`<td${kind !== null && html` class="${kind}"`}${isCut && html` title="${content}"`} data-label="${label}">${content}</td>`;
}
