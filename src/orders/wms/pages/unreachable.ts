import { html, type Html } from "../../../kit/web/html.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { warehouseWords } from "./warehouse-words.ts";

/** Says that this installation has no way to warehouses, and to an admin which setting makes one. */
export function unreachable({ session, language }: PageRequest): Html {
  const { unreachable, unreachableHint, unreachableSetting } = warehouseWords[language];
  const hint = session.user.role === "admin" ? unreachableSetting : unreachableHint;
  return html`<p class="error-summary">${unreachable} ${hint}</p>`;
}
