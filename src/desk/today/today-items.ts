import { html, type Content, type Html } from "../../kit/web/html.ts";
import { initials } from "../../kit/web/initials.ts";
import { amount, wholeNumber, type Language } from "../../kit/web/language.ts";
import { MOST_SCANNED, type CurrencySum } from "./counted-queries.ts";
import { todayWords } from "./today-words.ts";

/** One thing that waits for a person. All groups of the page have the same rows. */
export type TodayItem = {
  /** Unique on the page. */
  id: string;
  /** A shape or an icon; `why` has its meaning in words. */
  sign: Html;
  what: Html;
  whom: Content;
  amount: string | null;
  why: Content;
  /** The whole text of `why`, for the title if it is cut. */
  whyText: string;
  /** The name of the owner of the company; null if it is not shown. */
  owner: string | null;
  /** At most two buttons and a menu. */
  actions: Content;
};

export type Group = {
  id: string;
  title: string;
  total: number;
  /** Whether there are more than `total`. */
  isMore: boolean;
  /** Of all of them, by currency. */
  sums?: readonly CurrencySum[];
  items: readonly TodayItem[];
  /** A button for all of them. */
  action: Content;
  /** Further lines below. */
  foot: Content;
  /** Whether each button of a row has its own target, in one form that returns to this path. */
  formBackTo: string | null;
};

/** A group with its heading and its number; null if it has nothing. */
export function groupSection(group: Group, language: Language): Html | null {
  const { id, title, total, isMore, sums = [], items, action, foot, formBackTo } = group;
  if (total === 0 && !foot) return null;
  const list = html`<ul class="things">${items.map(itemOf)}</ul>`;
  return html`<section class="section today" id="${id}"><header><h2>${title} ${total > 0 && html`<span class="count">${wholeNumber(language, total)}${isMore && "+"}</span>`}</h2>${sums.length > 0 && html`<span class="muted sums">${sums.map((sum) => amount(language, sum.amount, sum.currency)).join(" · ")}</span>`}${action}</header>
${
  items.length > 0 &&
  (formBackTo === null
    ? list
    : html`<form method="post" action="/orders/send"><input type="hidden" name="to" value="${formBackTo}">${list}</form>`)
}${foot}</section>`;
}

/**
 * The link to all items, if the group does not show them, and how many were counted.
 * @param isCut whether there are more than are counted
 */
export function groupFoot(path: string | null, isCut: boolean, language: Language): Html | null {
  const words = todayWords[language];
  if (path === null && !isCut) return null;
  return html`<p class="foot">${isCut && `${words.counted(wholeNumber(language, MOST_SCANNED))} `}${path !== null && html`<a href="${path}">${words.all}</a>`}</p>`;
}

function itemOf({ id, sign, what, whom, amount: shown, why, whyText, owner, actions }: TodayItem): Html {
  return html`<li id="${id}">${sign}<span class="what">${what}</span>
<span class="whom">${owner !== null && html`${initials(owner, owner)} `}${whom}</span>
<span class="number">${shown}</span><span class="reason" title="${whyText}">${why}</span>
<span class="action">${actions}</span></li>`;
}
