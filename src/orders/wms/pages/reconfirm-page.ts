import type { Config } from "../../../kit/config.ts";
import type { Deps } from "../../../kit/deps.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { state } from "../../../kit/web/state.ts";
import { isId } from "../../../platform/ids.ts";
import { collectEvidence } from "../confirming/collect-evidence.ts";
import { countLinks, findLinks, listLinks } from "../confirming/reconfirm-queries.ts";
import {
  CANDIDATES_AT_ONCE,
  confirm,
  everyCandidate,
  grades,
  hasNoWarehouse,
  isConfirmable,
  isOfGrade,
  type Candidate,
} from "../confirming/reconfirm.ts";
import { pairOf } from "../sending/order-in.ts";
import { comparison, gradeState } from "./evidence.ts";
import { orderListWords } from "./order-list-words.ts";
import { reconfirmWords } from "./reconfirm-words.ts";
import { unreachable } from "./unreachable.ts";
import { warehouseWords } from "./warehouse-words.ts";

const PATH = "/warehouse/reconfirm";
/** Milliseconds for all calls of one page: those without an answer by then count as failed. */
const PATIENCE_MS = 10_000;

/** GET /warehouse/reconfirm: links without an instance, with the warehouses' orders. Query `after`: an invoice id. */
export const reconfirmPage: Page = async (deps, request) => {
  const { actor, query, language } = request;
  const { database, warehouse } = deps;
  const words = reconfirmWords[language];
  const after = query.get("after") ?? "0";
  const [{ count, isMore }, links] = await Promise.all([
    countLinks(actor.tenant, database, null),
    listLinks(actor.tenant, database, { after: isId(after) ? after : "0", limit: CANDIDATES_AT_ONCE + 1 }),
  ]);
  const shown = links.slice(0, CANDIDATES_AT_ONCE);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const candidates = await collectEvidence(deps, actor.tenant, shown, { signal, silent: new Map() });
  const next = links.length > shown.length ? shown.at(-1)?.invoiceId : undefined;
  const main = html`<a class="back" href="/orders">${icon("back")}${shellWords[language].orders}</a>
<header class="heading"><h1>${words.title} <span class="count">${wholeNumber(language, count)}${isMore && "+"}</span></h1></header>
<p>${words.about}</p>
${warehouse === null && unreachable(request)}
${shown.length === 0 ? emptyState("orders", words.none, [{ href: "/orders", label: shellWords[language].orders }]) : forms(deps, candidates, { after, hasMore: warehouse !== null && count > shown.length }, language)}
${next !== undefined && html`<nav class="pager" aria-label="${shellWords[language].pages}"><a rel="next" href="?after=${next}">${shellWords[language].older}</a></nav>`}`;
  return { title: words.title, area: "orders", main };
};

/**
 * POST /warehouse/reconfirm: confirms the selected (`invoices`, repeated: each an invoice's id with the order that was
 * seen), or all of a `grade`. The evidence is collected again.
 */
export const confirmLinksPage: Page = async (deps, { actor, form, query }) => {
  const grade = grades.find((name) => name === form.get("grade"));
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let [confirmed, asked] = [0, 0];
  if (grade !== undefined) {
    for await (const page of everyCandidate(deps, actor.tenant, signal)) {
      const chosen = page.filter((candidate) => isOfGrade(candidate, grade));
      asked += chosen.length;
      confirmed += (await confirm(deps, actor, chosen)).length;
    }
  } else {
    const seen = new Map(form.all("invoices").slice(0, CANDIDATES_AT_ONCE).map(seenOf));
    const links = await findLinks(actor.tenant, deps.database, [...seen.keys()].filter(isId));
    const same = links.filter(({ invoiceId, orderId }) => [undefined, String(orderId)].includes(seen.get(invoiceId)));
    const candidates = await collectEvidence(deps, actor.tenant, same, { signal, silent: new Map() });
    asked = seen.size;
    confirmed = (await confirm(deps, actor, candidates)).length;
  }
  const after = query.get("after");
  const to = after !== undefined && isId(after) ? `${PATH}?after=${after}` : PATH;
  const values = { confirmed: String(confirmed), refused: String(asked - confirmed) };
  return { to, notice: notice("links-confirmed", values) };
};

/** An invoice's id, and the id of the order that was shown with it. */
function seenOf(value: string): [invoiceId: string, orderId: string | undefined] {
  const [invoiceId = "", orderId] = value.split("/");
  return [invoiceId, orderId];
}

/** @param hasMore whether others are to be confirmed than these */
function forms(
  { config }: Deps,
  candidates: readonly Candidate[],
  { after, hasMore }: { after: string; hasMore: boolean },
  language: Language,
): Html {
  const words = reconfirmWords[language];
  const path = isId(after) ? `${PATH}?after=${after}` : PATH;
  const labels = { exact: words.confirmExact, strong: words.confirmStrong };
  const offered = grades.filter((grade) => hasMore || candidates.some((candidate) => isOfGrade(candidate, grade)));
  // A form of its own, so that Enter in the other one never presses its buttons.
  return html`<form method="post" id="renounce"><input type="hidden" name="to" value="${path}"></form>
<form method="post" action="${path}">${candidates.map((candidate) => section(config, candidate, path, language))}
${candidates.some(isConfirmable) && html`<p class="actions"><button class="main">${words.confirmSelected}</button></p>`}</form>
${
  offered.length > 0 &&
  html`<form method="post" action="${PATH}"><p class="actions">${offered.map(
    (grade) => html`<button name="grade" value="${grade}">${labels[grade]}</button>`,
  )}</p><p class="hint">${words.byGrade}</p></form>`
}`;
}

/** @param path of the page */
function section(config: Config, candidate: Candidate, path: string, language: Language): Html {
  const { link, evidence } = candidate;
  const words = reconfirmWords[language];
  const isUnconnected = hasNoWarehouse(candidate);
  return html`<section class="section evidence"><header><h2>${
    isConfirmable(candidate) &&
    html`<input type="checkbox" name="invoices" value="${link.invoiceId}/${link.orderId}" aria-label="${words.confirm(link.number)}"> `
  }<a href="/invoices/${link.invoiceId}">${link.number}</a></h2>${isUnconnected ? state("attention", warehouseWords[language].notConnected) : gradeState(evidence.grade, language)}</header>
<p><a href="/companies/${link.companyId}">${link.companyName}</a>${evidence.instance !== null && html` · ${evidence.instance}`}</p>
${
  isUnconnected
    ? html`<p class="trouble">${words.noWarehouse} <a href="/companies/${link.companyId}/warehouse">${words.connect}</a>${words.thenLook}</p>`
    : comparison(candidate, pairOf(config, link.slug, link.invoiceId), language)
}
<div class="actions">${!isUnconnected && html`<a class="button" href="${path}">${words.searchAgain}<span class="hidden"> ${link.number}</span></a>`}${renouncing(candidate, language)}</div></section>`;
}

/** Says what follows before a person says that the link is with no order. */
function renouncing({ link, evidence }: Candidate, language: Language): Html {
  const [words, orders] = [reconfirmWords[language], orderListWords[language]];
  const mayExist = evidence.order !== null || evidence.others.length > 0;
  const isUnknown = evidence.failure !== null;
  return html`<details class="menu"><summary class="button">${orders.notAnOrder}<span class="hidden"> ${link.number}</span></summary>
<div><p>${mayExist ? words.mayExist : isUnknown ? words.isUnknown : words.isAbsent}</p><p>${words.follows(link.number)}</p>
<button class="danger" form="renounce" formaction="/invoices/${link.invoiceId}/not-an-order" name="order" value="${link.orderId}">${orders.notAnOrder}</button></div></details>`;
}
