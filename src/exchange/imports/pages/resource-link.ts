import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { importWords } from "./import-words.ts";

/** The tables whose rows have a page. */
const SHOWN_AT = new Set(["companies", "contacts", "addresses", "invoices"]);

/** A row's title, as a link if the row has a page. */
export function resourceLink(table: string, id: string, title: string | null, language: Language): Html {
  const name = title ?? importWords[language].nameless(id);
  return SHOWN_AT.has(table) ? html`<a href="/${table}/${id}">${name}</a>` : html`${name}`;
}
