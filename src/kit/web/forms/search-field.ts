import { html, type Html } from "../html.ts";
import { icon } from "../icon.ts";

/** The search field of a list; its container has the class `search`. @param hint placeholder */
export function searchField(label: string, search: string | null | undefined, hint = label): Html {
  return html`<label class="hidden" for="search">${label}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${hint}" autocomplete="off" maxlength="255">`;
}
