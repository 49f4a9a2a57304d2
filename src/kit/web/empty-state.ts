import type { icons } from "./assets.ts";
import { html, type Content, type Html } from "./html.ts";
import { icon } from "./icon.ts";

export type EmptyAction = { href: string; label: string };

/**
 * A list without rows: the icon of its place, a sentence that says what the list is for, and what to do first.
 * @param actions the first one is the main one
 */
export function emptyState(place: keyof typeof icons, text: Content, actions: readonly EmptyAction[]): Html {
  return html`<div class="empty">${icon(place)}<p>${text}</p>
${actions.length > 0 && html`<p class="actions">${actions.map(button)}</p>`}</div>`;
}

function button({ href, label }: EmptyAction, index: number): Html {
  return html`<a class="button${index === 0 && " main"}" href="${href}">${label}</a>`;
}
