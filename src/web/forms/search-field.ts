import { html, type Html } from "../html.ts";
import { icon } from "../icon.ts";

/** The field that a list is searched by; what holds it has the class `search`. @param hint shown while it is empty */
export function searchField(label: string, search: string | null | undefined, hint = label): Html {
  return html`<label class="hidden" for="search">${label}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${hint}" autocomplete="off" maxlength="255">`;
}
