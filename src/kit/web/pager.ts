import type { PageQuery, Query } from "../../platform/http/lists/pagination.ts";
import { pageErrors } from "./forms/page-errors.ts";
import { html, type Html } from "./html.ts";
import { wholeNumber, type Language } from "./language.ts";
import { shellWords } from "./shell-words.ts";

/**
 * The range of rows that a list shows, their total, and links to the neighbouring pages. Behind the last page it throws
 * a redirect to the last one. @param href of the page with a number
 */
export function pager(
  { page, perPage, offset }: PageQuery,
  { count, total }: { count: number; total: number },
  href: (page: number) => string,
  language: Language,
): Html | null {
  const words = shellWords[language];
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  if (page > lastPage) throw pageErrors.beyondTheLast(href(lastPage));
  const isFirst = page <= 1;
  const isLast = offset + count >= total;
  if (isFirst && isLast) return null;
  const [from, to, all] = [offset + 1, offset + count, total].map((number) => wholeNumber(language, number));
  return html`<nav class="pager" aria-label="${words.pages}">
${isFirst ? html`<span>${words.newer}</span>` : html`<a rel="prev" href="${href(page - 1)}">${words.newer}</a>`}
<span>${count === 0 ? all : words.range(from ?? "", to ?? "", all ?? "")}</span>
${isLast ? html`<span>${words.older}</span>` : html`<a rel="next" href="${href(page + 1)}">${words.older}</a>`}
</nav>`;
}

/** The URL of another page of the same list. */
export function pageHref({ othersThanPage }: Query): (page: number) => string {
  return (page) => `?${othersThanPage === "" ? "" : `${othersThanPage}&`}page=${page}`;
}
